import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Ids of objects that are locked: by this thread or another one, with and without a monitor, met before or not, hashed
 * by the JVM or not. While an object has a monitor its header is elsewhere, and what is there decides whether the hash
 * is an id of ours. Where all hashes of the JVM are equal nothing else could.
 */
// agent: weave=EXEC+PARAM
// agent: weave=EXEC+PARAM | -XX:+UnlockExperimentalVMOptions -XX:hashCode=2
// agent: weave=EXEC+PARAM | -XX:+UnlockExperimentalVMOptions -XX:hashCode=3
// agent: weave=EXEC+PARAM | -XX:+UseHeavyMonitors | ..17
// agent: weave=EXEC+PARAM | -XX:+UseBiasedLocking -XX:BiasedLockingStartupDelay=0 | ..17
// agent: weave=EXEC+PARAM | -XX:+UnlockDiagnosticVMOptions -XX:+UseObjectMonitorTable | 25..27
// agent: weave=EXEC+PARAM | -XX:+UseCompactObjectHeaders | 25..
// print: --event METHOD_PARAM --method show
// check: keys.py
public class LockedIds {
    static void show(Object o, int key) { }

    interface Step { void run() throws Exception; }

    /** While another thread holds the lock. */
    static void heldByAnother(Object o, Step step) throws Exception {
        CountDownLatch held = new CountDownLatch(1), done = new CountDownLatch(1);
        Thread t = new Thread(() -> {
            synchronized (o) {
                held.countDown();
                try { done.await(); } catch (InterruptedException e) { throw new AssertionError(e); }
            }
        });
        t.start();
        held.await();
        step.run();
        done.countDown();
        t.join();
    }

    static void giveMonitor(Object o) throws Exception { synchronized (o) { o.wait(1); } }

    public static void main(String[] args) throws Exception {
        List<Object> objects = new ArrayList<>();
        List<Integer> hashes = new ArrayList<>();
        int key = 0;
        for (int way = 0; way < 6; way++)
            for (int before = 0; before < 4; before++)
                for (int again = 0; again < 3; again++, key++) {
                    Object o = key % 2 == 0 ? new Object() : new int[1];
                    int k = key, hash = before == 1 || before == 3 ? System.identityHashCode(o) : 0;
                    if (before >= 2) show(o, k);
                    if (before == 2) hash = System.identityHashCode(o);
                    switch (way) {
                    case 0: synchronized (o) { show(o, k); synchronized (o) { show(o, k); } } break;
                    case 1: synchronized (o) { o.wait(1); show(o, k); } break;
                    case 2: giveMonitor(o); show(o, k); show(o, k); break;
                    case 3: heldByAnother(o, () -> { show(o, k); show(o, k); }); break;
                    case 4: giveMonitor(o); heldByAnother(o, () -> { show(o, k); show(o, k); }); break;
                    default: heldByAnother(o, () -> heldByAnother(new Object(), () -> show(o, k))); break;
                    }
                    show(o, k);
                    if (hash != 0 && hash != System.identityHashCode(o)) throw new AssertionError("another hash");
                    objects.add(o);
                    hashes.add(System.identityHashCode(o));
                }
        System.gc();
        for (int i = 0; i < key; i++) {
            Object o = objects.get(i);
            synchronized (o) { show(o, i); }
            show(o, i);
            if (hashes.get(i) != System.identityHashCode(o)) throw new AssertionError("another hash later");
        }
        System.out.println(key + " objects");
    }
}
