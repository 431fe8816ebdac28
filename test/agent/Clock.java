import java.util.concurrent.CountDownLatch;

/** Reads the clock again and again, between work of very different length, in two threads. With STOP for ever. */
// javac: -g --release 11
public class Clock {
    static final Object lock = new Object();
    static long[] sums = new long[2];
    static final CountDownLatch far = new CountDownLatch(1);

    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    static long read(int i, int thread) {
        long now = System.nanoTime();
        int x = i;
        for (int k = 0; k < i % 20; k++) x += k * i;
        synchronized (lock) {
            sums[thread] += x;
        }
        return now;
    }

    static void work(int rounds, int thread) {
        for (int i = 0; i < rounds; i++) {
            if (i == 200 && thread == 1) far.countDown();
            fib(i % 9);
            read(i, thread);
            try {
                if (i % 7 == 0) Integer.parseInt("none");
                if (i % 50 == 0) Thread.sleep(2);
            } catch (NumberFormatException e) {
                read(1, thread);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> work(args.length > 0 ? Integer.MAX_VALUE : 200, 1));
        other.start();
        work(300, 0);
        if (args.length > 0) {
            far.await();
            System.out.println("ready");
        }
        other.join();
        System.out.println(sums[0] + sums[1]);
    }
}
