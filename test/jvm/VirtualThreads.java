import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A hundred thousand virtual threads, with pinning and migration: right identity, bounded memory, each with its start
 * and end.
 */
// labels: slow
// java: 21
// javac: --release 21 -g
// jvm: -Xmx512m
// print: --event METHOD_ENTRY,METHOD_PARAM
// agent: weave=EXEC+CALL+PARAM,timestamp=true
// count: 100000 METHOD_ENTRY VirtualThreads.task(
// agent: weave=ALL
// count: 100000 METHOD_ENTRY VirtualThreads.task(
// check: virtual.py
public class VirtualThreads {
    static final AtomicLong sum = new AtomicLong();
    static final ReentrantLock lock = new ReentrantLock();
    static final Object pin = new Object();
    static void task(int i) throws Exception {
        before(i);
        if (i % 3 == 0) Thread.yield();
        else if (i % 1000 == 1) Thread.sleep(Duration.ofMillis(2));
        else if (i % 100 == 2) synchronized (pin) { Thread.yield(); }
        else if (i % 50 == 3) { lock.lock(); try { Thread.yield(); } finally { lock.unlock(); } }
        after(i);
        sum.addAndGet(i);
    }
    static int before(int i) { return i; }
    static int after(int i) { return i; }
    public static void main(String[] args) throws Exception {
        try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100_000; i++) { int n = i; e.submit(() -> { task(n); return null; }); }
        }
        System.out.println(sum.get());
    }
}
