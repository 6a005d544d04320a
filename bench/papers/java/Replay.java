// Whether a history is linearizable, by the class itself: some order of the operations that respects which returned
// before which was called, run one by one on a new object, gives every result that was recorded.
//
// Depth first over such orders. Two beginnings with the same operations after which the object prints the same go on in
// the same way, and only one of them is followed: what these classes print is all that they hold, in the order in which
// they hold it (of a PriorityBlockingQueue its heap, as it lies in the array).
// Cost: as many objects as there are beginnings, each with the operations of its own; exponential in the overlap.
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

final class Replay {
  private final Shape shape;
  private final List<Operation> operations;
  private final Set<String> known = new HashSet<>(); // which operations, and what the object prints after them
  private final List<Operation> order = new ArrayList<>();

  private Replay(Shape shape, List<Operation> operations) {
    this.shape = shape;
    this.operations = operations;
  }

  static boolean linearizable(Shape shape, History history) {
    return new Replay(shape, history.operations()).extend(0);
  }

  /** Whether what was ordered so far can be completed; `done` has a bit for each of it. */
  private boolean extend(long done) {
    if (order.size() == operations.size()) return true;
    for (int next = 0; next < operations.size(); ++next) {
      if ((done >> next & 1) != 0 || !free(next, done)) continue;
      final Object object = shape.make();
      for (final Operation earlier : order) earlier.run(object);
      final Operation operation = operations.get(next);
      if (!Objects.equals(operation.run(object), operation.result)) continue;
      final long after = done | 1L << next;
      if (!known.add(after + " " + object)) continue;
      order.add(operation);
      if (extend(after)) return true;
      order.remove(order.size() - 1);
    }
    return false;
  }

  /** Whether nothing that is still to come returned before it was called. */
  private boolean free(int next, long done) {
    for (int other = 0; other < operations.size(); ++other) {
      if ((done >> other & 1) == 0 && operations.get(other).before(operations.get(next))) return false;
    }
    return true;
  }
}
