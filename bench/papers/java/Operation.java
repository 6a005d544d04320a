// One call of a program, and what came of it.
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class Operation {
  final Method method;
  final Object[] arguments; // values, lists of values, maps of values
  final int thread;
  final int number; // in the program, from 0
  int call, response; // positions among the events of the history
  String result; // as Java prints it; null: the method has none

  Operation(Method method, Object[] arguments, int thread, int number) {
    this.method = method;
    this.arguments = arguments;
    this.thread = thread;
    this.number = number;
  }

  /** Calls it. What is thrown is a result, too: the name of its class. */
  String run(Object object, Object[] given) {
    try {
      final Object result = method.call().apply(object, given);
      return method.isVoid() ? null : String.valueOf(result);
    } catch (Exception thrown) {
      return thrown.getClass().getName();
    }
  }

  String run(Object object) {
    return run(object, arguments);
  }

  boolean before(Operation other) {
    return response < other.call;
  }

  String callJson() {
    final List<String> each = new ArrayList<>();
    for (final Object argument : arguments) each.add(json(argument));
    return "{\"kind\":\"call\",\"sid\":" + thread + ",\"invocation\":{\"id\":" + number + ",\"method\":{\"name\":\""
        + method.name() + "\",\"void\":" + method.isVoid() + "},\"arguments\":[" + String.join(",", each) + "]}}";
  }

  String returnJson() {
    // What these classes print has no quotes and no backslashes: digits, brackets, names of classes.
    return "{\"kind\":\"return\",\"sid\":" + thread + ",\"invocation\":{\"id\":" + number + "}"
        + (result == null ? "" : ",\"value\":\"" + result + "\"") + "}";
  }

  private static String json(Object argument) {
    final List<String> each = new ArrayList<>();
    if (argument instanceof Map<?, ?> map) {
      new TreeMap<>(map).forEach((key, value) -> each.add("\"" + key + "\":" + value));
      return "{" + String.join(",", each) + "}";
    }
    if (argument instanceof Collection<?> list) {
      for (final Object value : list) each.add(String.valueOf(value));
      return "[" + String.join(",", each) + "]";
    }
    return String.valueOf(argument);
  }
}
