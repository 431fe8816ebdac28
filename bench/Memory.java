/**
 * What a recording takes of memory: `objects N` makes N objects that die at once, `threads N` has N threads at a time,
 * each of which does a little, `virtual N` so many virtual threads (JDK 21), `waits N` those that wait 50 times in
 * between. /usr/bin/time -f %M reports the peak.
 */
import java.util.concurrent.CountDownLatch;

public class Memory {
    static long sum;

    static final class Point {
        final int x;

        Point(int x) {
            this.x = x;
        }
    }

    static int made(int i) {
        return new Point(i).x;
    }

    static void waits() {
        try {
            for (int k = 0; k < 50; k++) {
                for (int i = 0; i < 20; i++)
                    made(i);
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            return;
        }
    }

    static Thread start(Runnable work, boolean virtual) throws ReflectiveOperationException {
        if (virtual) // JDK 17 has none
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[1]);
        if (args[0].equals("objects")) {
            for (int i = 0; i < n; i++)
                sum += made(i);
        } else {
            CountDownLatch all = new CountDownLatch(n);
            Thread[] threads = new Thread[n];
            for (int k = 0; k < n; k++) {
                threads[k] = args[0].equals("waits") ? start(Memory::waits, true) : start(() -> {
                    for (int i = 0; i < 100; i++)
                        made(i);
                    all.countDown();
                    try {
                        all.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                }, args[0].equals("virtual"));
            }
            for (Thread t : threads)
                t.join();
        }
        System.out.println(sum);
    }
}
