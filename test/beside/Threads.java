import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads LIBRARY NUMBER CALLS: threads of three kinds, each of which calls work(number * 1000000 + i), i below CALLS:
 * NUMBER platform threads that all live at once, as many that native code attaches and detaches (attach.c), some of
 * them twice, and ten times as many virtual ones where the JVM has them. All but the last of each end at once, most of
 * them before anything that they recorded is stored. Prints the sum of what work returned.
 */
public class Threads {
    private static final AtomicLong sum = new AtomicLong();
    private static final ThreadLocal<int[]> own = ThreadLocal.withInitial(() -> new int[3]);
    private static int calls;

    static long work(long n) {
        int[] a = own.get();
        a[(int) (n % 3)]++;
        return n % 1009 + a[0] + a[1] + a[2];
    }

    static void live(int number) {
        long mine = 0;
        for (int i = 0; i < calls; i++) mine = 7 * mine + work(number * 1_000_000L + i);
        sum.addAndGet(mine);
    }

    /** Starts threads that call fromNative, waits for their ends. False: one could not be attached. */
    private static native boolean attach(int first, int count);

    static void fromNative(int number) { live(number); }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        int n = Integer.parseInt(args[1]);
        calls = Integer.parseInt(args[2]);
        CountDownLatch all = new CountDownLatch(n);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int number = i + 1;
            Thread t = new Thread(null, () -> {
                all.countDown();
                try {
                    all.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                live(number);
            }, "platform-" + number, 256 << 10);
            threads.add(t);
            t.start();
        }
        for (Thread t : threads) t.join();
        System.out.println("platform " + sum);
        System.out.println("native " + attach(n + 1, n) + " " + sum);
        if (Runtime.version().feature() < 21) return;
        threads.clear();
        for (int i = 0; i < 10 * n; i++) {
            int number = 3 * n + i + 1;
            threads.add((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, (Runnable) () -> live(number)));
        }
        for (Thread t : threads) t.join();
        System.out.println("virtual " + sum);
    }
}
