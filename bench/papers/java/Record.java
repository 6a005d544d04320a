// Records histories of a class of java.util.concurrent, in the format juc (docs/formats/juc.md), each with its label.
//
//   javac -d CLASSES bench/papers/java/*.java
//   java -cp CLASSES Record CLASS HISTORIES SEED > CLASS.jsonl
//
// Of the shape of the hitting-families paper: as many threads, and as many operations a thread (Shape.java). Each
// history is of a program of its own: methods, arguments and how they fall to the threads are drawn from the seed. What
// the threads do then is up to the machine, so that two runs differ.
//
// The threads of a history start together and give way inside their operations with some chance (Run.java), which
// differs from history to history. How much overlaps depends on the machine and on what else it does. So not all that
// was run is kept: of sequential histories no larger share than the paper has, and while the mean number of concurrent
// pairs is above the paper's, only histories with no more pairs than its others have in the mean. What the results are
// plays no part in it.
//
// The label says whether some order of the operations, run one by one on a new object of the class itself, gives every
// result that was recorded (Replay.java). Linchpin has no part in it.
//
// Exit codes: 0 all recorded, 2 usage.
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

final class Record {
  private static final double HIGHEST_CHANCE = 0.3; // of giving way

  private Record() {}

  public static void main(String[] arguments) throws Exception {
    final Shape shape = arguments.length == 3 ? Shape.named(arguments[0]) : null;
    if (shape == null) {
      System.err.println("usage: java Record CLASS HISTORIES SEED; CLASS is one of " + Shape.names());
      System.exit(2);
    }
    final int histories = Integer.parseInt(arguments[1]);
    final Random random = new Random(Long.parseLong(arguments[2]));
    final PrintStream output =
        new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
    final ExecutorService threads =
        Executors.newFixedThreadPool(
            shape.threads(),
            task -> {
              final Thread thread = new Thread(task);
              thread.setDaemon(true);
              return thread;
            });
    double pairs = 0; // of those that are kept
    int sequential = 0;
    for (int kept = 0; kept < histories; ) {
      final double chance = random.nextDouble() * HIGHEST_CHANCE;
      final History history = Run.record(shape, shape.draw(random), threads, chance);
      final long more = history.concurrentPairs();
      if (more == 0 && sequential + 1 > shape.sequentialShare() * (kept + 1)) continue;
      if (more > shape.meanPairsOfOthers() && pairs > shape.meanPairs() * kept) continue;
      ++kept;
      pairs += more;
      if (more == 0) ++sequential;
      output.println(history.json(shape, Replay.linearizable(shape, history)));
    }
    output.flush();
    threads.shutdown();
  }
}
