/** A race: two threads add to a counter, and one addition is lost. */
import java.util.concurrent.CyclicBarrier;

public class Race {
    static int total;

    static void add(CyclicBarrier barrier) {
        try {
            int seen = total;
            barrier.await(); // makes the error happen in every run
            total = seen + 1;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Runnable adder = () -> add(barrier);
        Thread first = new Thread(adder, "first");
        Thread second = new Thread(adder, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("total " + total + ", expected 2");
    }
}
