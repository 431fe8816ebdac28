// java: 21
// javac: --release 21 -g
// Virtuals N: so many virtual threads at a time that park and wait for locks, so that they change their carriers. What
// each of them does is the same each time.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

public class Virtuals {
    static final ReentrantLock lock = new ReentrantLock();

    static long work(int number, CountDownLatch done) {
        long[] own = new long[8];
        for (int i = 0; i < 40; i++) {
            own[i % 8] += (long) number * i;
            if (i % 5 == 0)
                LockSupport.parkNanos(1000);
            if (i % 7 == 0) {
                lock.lock();
                try {
                    own[0]++;
                    Thread.yield();
                } finally {
                    lock.unlock();
                }
            }
            try {
                if (i % 9 == 8)
                    throw new IllegalStateException("at " + i);
            } catch (IllegalStateException e) {
                own[1] += e.getMessage().length();
            }
        }
        done.countDown();
        return own[0] + own[7];
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        CountDownLatch done = new CountDownLatch(count);
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            int number = i;
            threads[i] = Thread.ofVirtual().name("virtual-" + i).start(() -> {
                if (work(number, done) < 0)
                    throw new AssertionError();
            });
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println(done.getCount());
    }
}
