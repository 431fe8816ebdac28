// The library starts threads that are named as those of the program: which one became which is known by what each can
// have done. Two threads of the program race in turn, whatever futures ran before and beside them.
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

public class RacesMatched {
    static int racyFirst, racyLater, safeResult, safeOther;

    static void first() { racyFirst++; }

    static void later() { racyLater++; }

    /** Starts each when those before it have ended, of which it is not known that it orders them. */
    static void inTurn(Runnable a, Runnable b) throws InterruptedException {
        Thread one = new Thread(a), two = new Thread(b);
        one.start();
        while (one.getState() != Thread.State.TERMINATED) Thread.sleep(1);
        two.start();
        one.join();
        two.join();
    }

    static CompletableFuture<Integer> started(Runnable task) {
        return CompletableFuture.runAsync(task, command -> { // as an executor of the library does
            try {
                Thread.class.getMethod("start").invoke(new Thread(command));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }).thenApply(nothing -> safeResult++);
    }

    public static void main(String[] args) throws Exception {
        CompletableFuture<Integer> a = started(() -> safeResult++);
        a.join();
        CompletableFuture<Integer> b = started(() -> safeOther++);
        b.join();
        inTurn(RacesMatched::first, RacesMatched::first);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Integer> beside = started(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                return;
            }
            safeOther++;
        }), another = started(() -> safeOther++);
        another.join();
        inTurn(RacesMatched::later, RacesMatched::later);
        go.countDown();
        beside.join();
        System.out.println(racyFirst + racyLater + safeResult + safeOther);
    }
}
