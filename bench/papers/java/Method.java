// A method of a class: its name, its arguments, how it is called, and how often it is drawn.
import java.util.function.BiFunction;

record Method(
    String name, String parameters, boolean isVoid, int weight, BiFunction<Object, Object[], Object> call) {
  // Parameters, one letter each: v a value or a key, c a list of two values, m a map of two keys.
}
