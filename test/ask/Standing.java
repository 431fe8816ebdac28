// A deadlock of two locks of java.util.concurrent, which the recorder does not know.
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

public class Standing {
    static void both(ReentrantLock first, ReentrantLock second, CountDownLatch both) {
        first.lock();
        both.countDown();
        try {
            both.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        second.lock();
    }

    static void start(Runnable r, String name) {
        Thread t = new Thread(r, name);
        t.setDaemon(true);
        t.start();
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        start(() -> both(a, b, both), "there");
        start(() -> both(b, a, both), "back");
        while (!a.hasQueuedThreads() || !b.hasQueuedThreads())
            Thread.sleep(1);
    }
}
