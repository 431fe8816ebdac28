import java.util.concurrent.*;

// One exception that a field keeps is thrown many times: each flight ends in its own way.
public class Reused {
    static final RuntimeException STOP = new RuntimeException("stop");
    static int used;

    static void first() { throw STOP; }

    static void second() {
        RuntimeException e = STOP;
        throw e;
    }

    static void pass(RuntimeException e) { throw e; }

    static RuntimeException kept() { return STOP; }

    /** Goes on with the flight: thrown again by the frame that caught it. */
    static void again() {
        try {
            first();
        } catch (RuntimeException e) {
            throw e;
        } finally {
            used++;
        }
    }

    static boolean swallows(Runnable task) {
        try {
            task.run();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    static String uses(Runnable task) {
        try {
            task.run();
            return "";
        } catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    static void inTurn(String name, Runnable task) throws InterruptedException {
        Thread t = new Thread(task, name);
        t.setUncaughtExceptionHandler((thread, e) -> { });
        t.start();
        t.join();
    }

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++) swallows(Reused::first);
        uses(Reused::second);
        swallows(Reused::second);
        swallows(() -> pass(STOP));
        swallows(() -> { throw kept(); });
        swallows(Reused::again);
        uses(Reused::again);
        inTurn("swallows", () -> swallows(Reused::first));
        inTurn("ends", () -> second());
        inTurn("referred", Reused::first);
        inTurn("own", new Thread() {
            @Override
            public void run() { first(); }
        });
        ExecutorService pool = Executors.newSingleThreadExecutor(task -> new Thread(task, "pool"));
        pool.submit((Runnable) () -> { throw kept(); }); // the future has it: the thread does not end by it
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        swallows(Reused::first);
    }
}
