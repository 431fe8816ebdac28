import java.util.concurrent.*;

/** Exceptions that leave recorded code: to a thread pool, to a collection of the JDK, to the end of their thread. */
public class Pools {
    static int parse(String text) {
        return Integer.parseInt(text);
    }

    static void wrap(int depth) {
        try {
            if (depth > 0)
                wrap(depth - 1);
            else
                parse("in a pool");
        } catch (NumberFormatException e) {
            throw e; // once more, from here
        }
    }

    static final RuntimeException MADE = new IllegalStateException("made elsewhere");

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        pool.submit(() -> wrap(2));
        pool.shutdown();
        pool.awaitTermination(60, TimeUnit.SECONDS);
        CompletableFuture.supplyAsync(() -> parse("in a future")).exceptionally(e -> 0).get();
        try {
            java.util.List.of("in a list").forEach(Pools::parse); // passes through the JDK, and is caught
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        Thread dies = new Thread(() -> parse("in a thread"));
        dies.setUncaughtExceptionHandler((t, e) -> {});
        dies.start();
        dies.join();
        Thread other = new Thread(() -> { throw MADE; }); // its stack is that of main, but it ends this thread
        other.setUncaughtExceptionHandler((t, e) -> {});
        other.start();
        other.join();
        for (int i = 0; i < 4; i++) { // two in a thread of their own each, two here
            Runnable fails = () -> { throw new IllegalStateException("again"); };
            Thread t = new Thread(fails, "again " + i);
            t.setUncaughtExceptionHandler((who, e) -> { });
            if (i < 2) {
                t.start();
                t.join();
            } else {
                caught(fails);
            }
        }
    }

    static void caught(Runnable fails) {
        try {
            fails.run();
        } catch (IllegalStateException e) {
            MADE.addSuppressed(e);
        }
    }
}
