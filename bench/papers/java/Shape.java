// The ten classes of the paper's Tables 1 and 3: how many threads call how many operations each, how many histories it
// has and how many of them are not sequential, how many pairs of operations are concurrent in the mean, and which
// methods there are. Basic ones are drawn three times as often as the others.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.Deque;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.function.BiFunction;
import java.util.function.Supplier;

record Shape(
    String name,
    String arguments,
    int threads,
    int operations,
    double all,
    double notSequential,
    double meanPairs,
    Supplier<Object> constructor,
    List<Method> methods) {
  private static final int VALUES = 3; // 0, 1, 2: also the keys
  private static final int CAPACITY = 20; // of an ArrayBlockingQueue: never reached
  private static final int BASIC = 3, OTHER = 1;

  private static final List<Shape> ALL =
      List.of(
          new Shape(
              "ArrayBlockingQueue", "" + CAPACITY, 7, 2, 1029, 723, 3.94, () -> new ArrayBlockingQueue<>(CAPACITY),
              bounded()),
          new Shape("ConcurrentHashMap", "", 2, 7, 1055, 1054, 8.42, ConcurrentHashMap::new, hashMap()),
          new Shape("ConcurrentLinkedDeque", "", 6, 2, 681, 520, 4.26, ConcurrentLinkedDeque::new, deque()),
          new Shape("ConcurrentLinkedQueue", "", 7, 2, 780, 619, 4.21, ConcurrentLinkedQueue::new, queue()),
          new Shape("ConcurrentSkipListMap", "", 7, 2, 1506, 1358, 4.04, ConcurrentSkipListMap::new, sortedMap()),
          new Shape("ConcurrentSkipListSet", "", 6, 3, 417, 417, 10.00, ConcurrentSkipListSet::new, sortedSet()),
          new Shape("LinkedBlockingDeque", "", 4, 2, 1131, 1106, 5.99, LinkedBlockingDeque::new, deque()),
          new Shape("LinkedBlockingQueue", "", 3, 3, 1199, 1185, 7.28, LinkedBlockingQueue::new, bounded()),
          new Shape("LinkedTransferQueue", "", 5, 3, 1355, 1261, 4.79, LinkedTransferQueue::new, queue()),
          new Shape("PriorityBlockingQueue", "", 7, 2, 1311, 982, 4.94, PriorityBlockingQueue::new, bounded()));

  static Shape named(String name) {
    return ALL.stream().filter(shape -> shape.name.equals(name)).findFirst().orElse(null);
  }

  static String names() {
    return String.join(" ", ALL.stream().map(Shape::name).toList());
  }

  double sequentialShare() {
    return 1 - notSequential / all;
  }

  /** Concurrent pairs of the paper's histories that are not sequential. */
  double meanPairsOfOthers() {
    return meanPairs * all / notSequential;
  }

  Object make() {
    return constructor.get();
  }

  /** A program: by thread, its operations. */
  Operation[][] draw(Random random) {
    final List<Method> drawn = new ArrayList<>();
    for (final Method method : methods) drawn.addAll(Collections.nCopies(method.weight(), method));
    final Operation[][] program = new Operation[threads][operations];
    for (int thread = 0; thread < threads; ++thread) {
      for (int i = 0; i < operations; ++i) {
        final Method method = drawn.get(random.nextInt(drawn.size()));
        final Object[] arguments =
            method.parameters().chars().mapToObj(kind -> argument((char) kind, random)).toArray();
        program[thread][i] = new Operation(method, arguments, thread, thread * operations + i);
      }
    }
    return program;
  }

  private static Value drawValue(Random random) {
    return new Value(random.nextInt(VALUES));
  }

  private static Object argument(char kind, Random random) {
    if (kind == 'v') return drawValue(random);
    if (kind == 'c') return Arrays.asList(drawValue(random), drawValue(random));
    final int first = random.nextInt(VALUES);
    final int second = (first + 1 + random.nextInt(VALUES - 1)) % VALUES;
    return new TreeMap<>(
        Map.of(new Value(first), drawValue(random), new Value(second), drawValue(random)));
  }

  /** The methods of one class, or what several have in common; `Type` is what they are called on. */
  private static final class Methods<Type> {
    final List<Method> all = new ArrayList<>();

    @SuppressWarnings("unchecked")
    private Methods<Type> add(
        String name, String parameters, boolean isVoid, int weight, BiFunction<Type, Object[], Object> call) {
      all.add(
          new Method(name, parameters, isVoid, weight, (object, arguments) -> call.apply((Type) object, arguments)));
      return this;
    }

    Methods<Type> basic(String name, String parameters, BiFunction<Type, Object[], Object> call) {
      return add(name, parameters, false, BASIC, call);
    }

    Methods<Type> other(String name, String parameters, BiFunction<Type, Object[], Object> call) {
      return add(name, parameters, false, OTHER, call);
    }

    /** A method without a result. */
    Methods<Type> done(String name, String parameters, java.util.function.BiConsumer<Type, Object[]> call) {
      return add(
          name,
          parameters,
          true,
          OTHER,
          (object, arguments) -> {
            call.accept(object, arguments);
            return null;
          });
    }
  }

  private static Value value(Object argument) {
    return (Value) argument;
  }

  @SuppressWarnings("unchecked")
  private static Collection<Value> list(Object argument) {
    return (Collection<Value>) argument;
  }

  @SuppressWarnings("unchecked")
  private static Map<Value, Value> map(Object argument) {
    return (Map<Value, Value>) argument;
  }

  private static List<Method> collection() {
    return new Methods<Collection<Value>>()
        .other("addAll", "c", (c, a) -> c.addAll(list(a[0])))
        .done("clear", "", (c, a) -> c.clear())
        .other("contains", "v", (c, a) -> c.contains(a[0]))
        .other("containsAll", "c", (c, a) -> c.containsAll(list(a[0])))
        .other("isEmpty", "", (c, a) -> c.isEmpty())
        .other("remove", "v", (c, a) -> c.remove(a[0]))
        .other("removeAll", "c", (c, a) -> c.removeAll(list(a[0])))
        .other("retainAll", "c", (c, a) -> c.retainAll(list(a[0])))
        .other("size", "", (c, a) -> c.size())
        .other("toArray", "", (c, a) -> Arrays.toString(c.toArray()))
        .other("toString", "", (c, a) -> c.toString())
        .all;
  }

  private static List<Method> queue() {
    final List<Method> all =
        new Methods<Queue<Value>>()
            .basic("offer", "v", (q, a) -> q.offer(value(a[0])))
            .basic("peek", "", (q, a) -> q.peek())
            .basic("poll", "", (q, a) -> q.poll())
            .all;
    all.addAll(collection());
    return all;
  }

  private static List<Method> bounded() {
    final List<Method> all =
        new Methods<BlockingQueue<Value>>()
            .other("remainingCapacity", "", (q, a) -> q.remainingCapacity())
            .all;
    all.addAll(queue());
    return all;
  }

  private static List<Method> deque() {
    final List<Method> all =
        new Methods<Deque<Value>>()
            .done("addFirst", "v", (d, a) -> d.addFirst(value(a[0])))
            .other("getFirst", "", (d, a) -> d.getFirst())
            .other("getLast", "", (d, a) -> d.getLast())
            .other("offerFirst", "v", (d, a) -> d.offerFirst(value(a[0])))
            .other("offerLast", "v", (d, a) -> d.offerLast(value(a[0])))
            .other("peekFirst", "", (d, a) -> d.peekFirst())
            .other("peekLast", "", (d, a) -> d.peekLast())
            .other("pollFirst", "", (d, a) -> d.pollFirst())
            .other("pollLast", "", (d, a) -> d.pollLast())
            .other("removeFirstOccurrence", "v", (d, a) -> d.removeFirstOccurrence(a[0]))
            .other("removeLast", "", (d, a) -> d.removeLast())
            .other("removeLastOccurrence", "v", (d, a) -> d.removeLastOccurrence(a[0]))
            .all;
    all.addAll(queue());
    return all;
  }

  private static List<Method> sortedSet() {
    final List<Method> all =
        new Methods<NavigableSet<Value>>()
            .basic("add", "v", (s, a) -> s.add(value(a[0])))
            .other("ceiling", "v", (s, a) -> s.ceiling(value(a[0])))
            .other("first", "", (s, a) -> s.first())
            .other("floor", "v", (s, a) -> s.floor(value(a[0])))
            .other("headSet", "v", (s, a) -> s.headSet(value(a[0])).toString())
            .other("higher", "v", (s, a) -> s.higher(value(a[0])))
            .other("last", "", (s, a) -> s.last())
            .other("lower", "v", (s, a) -> s.lower(value(a[0])))
            .other("pollFirst", "", (s, a) -> s.pollFirst())
            .other("pollLast", "", (s, a) -> s.pollLast())
            .other("tailSet", "v", (s, a) -> s.tailSet(value(a[0])).toString())
            .all;
    all.addAll(collection());
    return all;
  }

  private static List<Method> anyMap() {
    return new Methods<ConcurrentMap<Value, Value>>()
        .basic("containsKey", "v", (m, a) -> m.containsKey(a[0]))
        .basic("get", "v", (m, a) -> m.get(a[0]))
        .basic("put", "vv", (m, a) -> m.put(value(a[0]), value(a[1])))
        .basic("remove", "v", (m, a) -> m.remove(a[0]))
        .done("clear", "", (m, a) -> m.clear())
        .other("containsValue", "v", (m, a) -> m.containsValue(a[0]))
        .other("entrySet", "", (m, a) -> m.entrySet().toString())
        .other("isEmpty", "", (m, a) -> m.isEmpty())
        .other("keySet", "", (m, a) -> m.keySet().toString())
        .other("putIfAbsent", "vv", (m, a) -> m.putIfAbsent(value(a[0]), value(a[1])))
        .other("replace", "vvv", (m, a) -> m.replace(value(a[0]), value(a[1]), value(a[2])))
        .other("size", "", (m, a) -> m.size())
        .other("toString", "", (m, a) -> m.toString())
        .other("values", "", (m, a) -> m.values().toString())
        .all;
  }

  private static List<Method> hashMap() {
    final List<Method> all =
        new Methods<ConcurrentHashMap<Value, Value>>()
            .other("contains", "v", (m, a) -> m.contains(a[0]))
            .other("elements", "", (m, a) -> Collections.list(m.elements()).toString())
            .other("keys", "", (m, a) -> Collections.list(m.keys()).toString())
            .other("mappingCount", "", (m, a) -> m.mappingCount())
            .all;
    all.addAll(anyMap());
    return all;
  }

  private static List<Method> sortedMap() {
    final List<Method> all =
        new Methods<ConcurrentNavigableMap<Value, Value>>()
            .other("ceilingKey", "v", (m, a) -> m.ceilingKey(value(a[0])))
            .other("firstKey", "", (m, a) -> m.firstKey())
            .other("floorKey", "v", (m, a) -> m.floorKey(value(a[0])))
            .other("headMap", "v", (m, a) -> m.headMap(value(a[0])).toString())
            .other("higherKey", "v", (m, a) -> m.higherKey(value(a[0])))
            .other("lastKey", "", (m, a) -> m.lastKey())
            .other("lowerKey", "v", (m, a) -> m.lowerKey(value(a[0])))
            .other("pollFirstEntry", "", (m, a) -> m.pollFirstEntry())
            .other("pollLastEntry", "", (m, a) -> m.pollLastEntry())
            .done("putAll", "m", (m, a) -> m.putAll(map(a[0])))
            .other("tailMap", "v", (m, a) -> m.tailMap(value(a[0])).toString())
            .all;
    all.addAll(anyMap());
    return all;
  }
}
