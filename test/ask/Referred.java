// Circles of two threads that enter synchronized methods by method references, of each kind; and one where the library
// calls the reference, in which a thread only is seen to stand. A daemon prints what the JVM says and halts it.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

public class Referred {
    static class Lock {
        synchronized void enter() { }

        synchronized void enter(String why) { }

        /** Runs the task under the monitor, when both are held. */
        synchronized void hold(CyclicBarrier both, Runnable task) {
            meet(both);
            task.run();
        }
    }

    static class Derived extends Lock {
        @Override
        synchronized void enter() { }
    }

    static class Left {
        static synchronized void enter(CyclicBarrier both, Runnable task) {
            meet(both);
            task.run();
        }

        static synchronized void touch() { }
    }

    static class Right {
        static synchronized void enter(CyclicBarrier both, Runnable task) {
            meet(both);
            task.run();
        }

        static synchronized void touch() { }
    }

    static void meet(CyclicBarrier both) {
        try {
            both.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static final List<Thread> threads = new ArrayList<>();

    static void start(String name, Runnable a, Runnable b) {
        for (Runnable r : List.of(a, b)) {
            Thread t = new Thread(r, name + (r == a ? "-0" : "-1"));
            threads.add(t);
            t.start();
        }
    }

    static void bound() {
        CyclicBarrier both = new CyclicBarrier(2);
        Lock a = new Lock(), b = new Derived();
        start("bound", () -> a.hold(both, b::enter), () -> b.hold(both, a::enter));
    }

    static void given(Lock mine, Lock other, CyclicBarrier both) {
        BiConsumer<Lock, String> enter = Lock::enter;
        synchronized (mine) {
            meet(both);
            enter.accept(other, "given");
        }
    }

    static void mixed(Lock mine, Lock other, CyclicBarrier both) {
        Consumer<Lock> enter = Lock::enter;
        synchronized (mine) {
            meet(both);
            enter.accept(other);
        }
    }

    static void library(Lock mine, Lock other, CyclicBarrier both) {
        List<Lock> others = new ArrayList<>(List.of(other));
        synchronized (mine) {
            meet(both);
            others.forEach(Lock::enter);
        }
    }

    static void say() {
        try {
            for (Thread t : threads)
                while (t.getState() != Thread.State.BLOCKED) Thread.sleep(1);
        } catch (InterruptedException e) {
            Runtime.getRuntime().halt(2);
        }
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        for (ThreadInfo info : bean.getThreadInfo(bean.findMonitorDeadlockedThreads()))
            System.out.println(info.getThreadName() + " " + info.getLockOwnerName());
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    public static void main(String[] args) throws Exception {
        bound();
        CyclicBarrier two = new CyclicBarrier(2), three = new CyclicBarrier(2), four = new CyclicBarrier(2),
                      five = new CyclicBarrier(2);
        Lock a = new Lock(), b = new Lock(), c = new Lock(), d = new Derived(), e = new Lock(), f = new Lock();
        start("given", () -> given(a, b, two), () -> given(b, a, two));
        start("mixed", () -> mixed(c, d, three), () -> mixed(d, c, three));
        start("static", () -> Left.enter(four, Right::touch), () -> Right.enter(four, Left::touch));
        start("library", () -> library(e, f, five), () -> library(f, e, five));
        Thread daemon = new Thread(Referred::say, "watch");
        daemon.setDaemon(true);
        daemon.start();
        threads.get(0).join();
    }
}
