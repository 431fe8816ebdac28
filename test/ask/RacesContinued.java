// Threads that the program starts itself run nothing that was given to a future, and are not ordered by what
// futures do: a task given to a future before hides no race. What an executor of the program starts does run it.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

public class RacesContinued {
    static int racyLambda, racyOwn, safeStarted, safeResult, safeGiven, safeTask;

    static class Own extends Thread {
        @Override
        public void run() { racyOwn++; }
    }

    static void until(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    static void lambda() { racyLambda++; }

    /** Starts each thread when those before it have ended, of which it is not known that it orders them. */
    static void inTurn(Thread... threads) throws InterruptedException {
        for (Thread t : threads) {
            t.start();
            until(t, Thread.State.TERMINATED);
        }
    }

    /** A task of the library waits in the thread; what it is followed by is given to it later. */
    static void given() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Thread[] made = new Thread[1];
        Executor own = task -> (made[0] = new Thread(task, "given")).start();
        CompletableFuture<Void> first = CompletableFuture.runAsync(new FutureTask<>(() -> {
            go.await();
            return 1;
        }), own);
        until(made[0], Thread.State.WAITING);
        safeGiven = 1;
        CompletableFuture<Void> then = first.thenRun(() -> safeGiven++);
        go.countDown();
        then.join();
        safeGiven++;
    }

    public static void main(String[] args) throws Exception {
        CompletableFuture.supplyAsync(() -> ++safeResult).thenApplyAsync(x -> ++safeResult).join();
        safeResult++;
        safeStarted = 1;
        inTurn(new Thread(() -> safeStarted++), new Thread(RacesContinued::lambda), new Thread(RacesContinued::lambda),
            new Own(), new Own());
        FutureTask<Integer> task = new FutureTask<>(() -> ++safeTask);
        new Thread(task).start();
        int given = task.get();
        safeTask += given;
        given();
        System.out.println(racyLambda + racyOwn + safeStarted + safeResult + safeGiven + safeTask);
    }
}
