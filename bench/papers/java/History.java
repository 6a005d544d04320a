// What was recorded of one run: its operations, and their calls and responses in the order in which they happened.
import java.util.List;

record History(List<Operation> operations) {
  long concurrentPairs() {
    long pairs = 0;
    for (final Operation one : operations) {
      for (final Operation other : operations) {
        if (one.number < other.number && !one.before(other) && !other.before(one)) ++pairs;
      }
    }
    return pairs;
  }

  /** One line in the format juc. */
  String json(Shape shape, boolean linearizable) {
    final String[] events = new String[2 * operations.size()];
    for (final Operation operation : operations) {
      events[operation.call] = operation.callJson();
      events[operation.response] = operation.returnJson();
    }
    return "{\"schema\":{\"class\":\"java.util.concurrent." + shape.name() + "\",\"arguments\":[" + shape.arguments()
        + "]},\"linearizable\":" + linearizable + ",\"events\":[" + String.join(",", events) + "]}";
  }
}
