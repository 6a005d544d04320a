// Runs a program once, each of its threads on one of the system, and records when operations were called and returned.
//
// The order of the events is that of one counter, which a thread takes a number from right before it calls and right
// after the call came back: what returned before another was called has the smaller number.
//
// All threads begin together. Each gives way with the given chance between a number and the call: operations are far
// shorter than what the scheduler gives a thread, and with more threads than processors few of them would overlap
// otherwise. So do the values (Value.java), and the lists that are passed, between their elements.
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

final class Run {
  private Run() {}

  static History record(Shape shape, Operation[][] program, ExecutorService threads, double chance)
      throws Exception {
    final Object object = shape.make();
    final AtomicInteger events = new AtomicInteger();
    final AtomicInteger waiting = new AtomicInteger(program.length);
    Value.giveWayWith(chance);
    final List<Future<?>> parts = new ArrayList<>();
    for (final Operation[] part : program) {
      parts.add(threads.submit(() -> runPart(part, object, events, waiting)));
    }
    for (final Future<?> part : parts) part.get();
    Value.giveWayWith(0);
    final List<Operation> operations = new ArrayList<>();
    for (final Operation[] part : program) operations.addAll(List.of(part));
    return new History(operations);
  }

  private static void runPart(Operation[] part, Object object, AtomicInteger events, AtomicInteger waiting) {
    final Object[][] given = new Object[part.length][];
    for (int i = 0; i < part.length; ++i) given[i] = slow(part[i].arguments);
    waiting.decrementAndGet();
    while (waiting.get() > 0) Thread.yield();
    for (int i = 0; i < part.length; ++i) {
      part[i].call = events.getAndIncrement();
      Value.giveWay();
      part[i].result = part[i].run(object, given[i]);
      Value.giveWay();
      part[i].response = events.getAndIncrement();
    }
  }

  /** The arguments, with lists that give way between their elements. */
  private static Object[] slow(Object[] arguments) {
    final Object[] given = arguments.clone();
    for (int i = 0; i < given.length; ++i) {
      if (!(given[i] instanceof List<?> list)) continue;
      given[i] =
          new AbstractList<Object>() {
            @Override
            public Object get(int index) {
              Value.giveWay();
              return list.get(index);
            }

            @Override
            public int size() {
              return list.size();
            }
          };
    }
    return given;
  }
}
