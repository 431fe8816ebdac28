// What is given to a future runs behind what completed it, in the thread that completes it, in another one, or in that
// which calls the future. The program waits by Thread.getState, which is not known to order threads.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

public class RacesFutures {
    static int safeThen, safeWhen, safeOwn, safeAsync, safeAll, racyGo, racyTask;

    static void until(Thread thread, Thread.State state) {
        while (thread.getState() != state) pause();
    }

    static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void own(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        until(thread, Thread.State.TERMINATED);
    }

    public static void main(String[] args) {
        Thread[] worker = new Thread[1];
        ExecutorService pool = Executors.newFixedThreadPool(1, task -> worker[0] = new Thread(task));
        CompletableFuture<Integer> then = CompletableFuture.supplyAsync(() -> ++safeThen, pool);
        until(worker[0], Thread.State.WAITING);
        then.thenAccept(z -> safeThen++);
        CompletableFuture<Integer> when = CompletableFuture.supplyAsync(() -> ++safeWhen, pool);
        until(worker[0], Thread.State.WAITING);
        when.whenComplete((z, e) -> safeWhen++);

        Executor own = RacesFutures::own;
        CompletableFuture.supplyAsync(() -> ++safeOwn, own).thenAccept(z -> safeOwn++);
        CompletableFuture.supplyAsync(() -> ++safeAsync, own).thenApplyAsync(z -> ++safeAsync, pool)
            .thenAcceptAsync(z -> safeAsync++, own).join();

        CompletableFuture<Integer> given = new CompletableFuture<>();
        own(() -> {
            safeAll++;
            given.complete(1);
        });
        CompletableFuture.allOf(given).thenRun(() -> safeAll++);

        CompletableFuture<Integer> racy = CompletableFuture.supplyAsync(() -> {
            while (racyGo == 0) pause();
            return ++racyTask;
        }, pool);
        until(worker[0], Thread.State.TIMED_WAITING); // it has begun, and pauses
        racyTask++;
        racyGo = 1;
        racy.join();
        pool.shutdown();
        System.out.println(safeThen + safeWhen + safeOwn + safeAsync + safeAll + racyTask);
    }
}
