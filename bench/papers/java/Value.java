// A value or a key of a program: a small number that gives way, with a chance that is the same for all, whenever the
// class under test compares it, hashes it or prints it. So threads meet inside the operations of the class, and not
// only before and after them: with few processors that is where they hardly ever would.
import java.util.concurrent.ThreadLocalRandom;

final class Value implements Comparable<Value> {
  private static volatile double chance = 0;

  final int number;

  Value(int number) {
    this.number = number;
  }

  /** For all values, from now on. */
  static void giveWayWith(double newChance) {
    chance = newChance;
  }

  static void giveWay() {
    if (ThreadLocalRandom.current().nextDouble() < chance) Thread.yield();
  }

  @Override
  public int compareTo(Value other) {
    giveWay();
    return Integer.compare(number, other.number);
  }

  @Override
  public boolean equals(Object other) {
    giveWay();
    return other instanceof Value value && value.number == number;
  }

  @Override
  public int hashCode() {
    giveWay();
    return number;
  }

  @Override
  public String toString() {
    giveWay();
    return Integer.toString(number);
  }
}
