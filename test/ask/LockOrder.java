// record: weave=ALL,timestamp=true
// Monitors in several orders: a pair and three of which threads go round, one that main alone turns round, one that a
// thread waits for while another has it.
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;

public class LockOrder {
    static class Lock { }
    static class Pair extends Lock { }
    static class Ring extends Lock { }
    static class Own extends Lock { }
    static class Busy extends Lock { }
    static class Inner extends Lock { }
    static class Twice extends Lock { }
    static class Box extends Lock { }

    static int work;

    static void nested(Lock outer, Lock inner) {
        synchronized (outer) {
            synchronized (inner) {
                work++;
            }
            synchronized (inner) {
                synchronized (outer) { // again
                    work++;
                }
            }
        }
    }

    static synchronized void ofClass(Lock inner) {
        synchronized (inner) {
            work++;
        }
    }

    static void run(String name, Runnable r) throws Exception {
        Thread t = new Thread(r, name);
        t.start();
        t.join();
    }

    /** On a busy machine a thread may be blocked by another monitor before. */
    static boolean waitsFor(Thread t, Lock lock) {
        LockInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(t.getId()).getLockInfo();
        return t.getState() == Thread.State.BLOCKED && info != null
            && info.getIdentityHashCode() == System.identityHashCode(lock);
    }

    static void contend(Lock busy) throws Exception {
        Thread waits = new Thread(() -> {
            synchronized (busy) {
                work++;
            }
        }, "waits");
        synchronized (busy) {
            waits.start();
            while (!waitsFor(waits, busy))
                Thread.sleep(1);
        }
        waits.join();
    }

    /** The waiter enters it again when it has it. */
    static void contendTwice(Lock busy) throws Exception {
        Thread waits = new Thread(() -> nested(busy, busy), "waits twice");
        synchronized (busy) {
            waits.start();
            while (!waitsFor(waits, busy))
                Thread.sleep(1);
        }
        waits.join();
    }

    /** It is free whenever it is entered: others have it only while one waits for a notification. */
    static void wait(Lock box) throws Exception {
        Thread waits = new Thread(() -> {
            synchronized (box) {
                try {
                    box.wait();
                } catch (InterruptedException e) {
                    return;
                }
            }
        }, "waits for a notification");
        waits.start();
        while (waits.getState() != Thread.State.WAITING)
            Thread.sleep(1);
        for (int i = 0; i < 2; i++)
            synchronized (box) {
                work++;
            }
        synchronized (box) {
            box.notify();
        }
        waits.join();
    }

    public static void main(String[] args) throws Exception {
        Lock a = new Pair(), b = new Pair(), c = new Ring(), d = new Ring(), e = new Ring();
        Lock f = new Own(), g = new Own();
        run("first", () -> nested(a, b));
        run("second", () -> nested(b, a));
        run("third", () -> nested(c, d));
        run("fourth", () -> nested(d, e));
        run("fifth", () -> nested(e, c));
        nested(f, g);
        nested(g, f);
        ofClass(new Inner());
        run("class", () -> ofClass(new Inner()));
        contend(new Busy());
        contendTwice(new Twice());
        wait(new Box());
        synchronized (a) {
            synchronized (c) {
                work++;
            }
        }
    }
}
