// Threads that wait: four circles of deadlocks (blocks, synchronized methods, static ones, static ones and blocks
// on their classes), a fifth of virtual threads where there are any, and threads that wait without being part of one.
// A daemon prints what the JVM says of them and halts it.
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

public class Locks {
    static class Lock {
        synchronized void hold(CountDownLatch all, Lock other) {
            meet(all);
            other.take(1, "x");
        }
        synchronized void take(int n, String s) { }
    }
    static class Derived extends Lock { }

    static class Left {
        static synchronized void enter(CountDownLatch both) {
            meet(both);
            Right.enter(both);
        }
    }
    static class Right {
        static synchronized void enter(CountDownLatch both) {
            meet(both);
            Left.enter(both);
        }
    }

    /** Each enters the monitor of the other class by a block. */
    static class Upper {
        static synchronized void enter(CountDownLatch both) {
            meet(both);
            synchronized (Lower.class) {
                both.countDown();
            }
        }
    }
    static class Lower {
        static synchronized void enter(CountDownLatch both) {
            meet(both);
            synchronized (Upper.class) {
                both.countDown();
            }
        }
    }

    static void meet(CountDownLatch all) {
        all.countDown();
        try {
            all.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void two(Object mine, Object other, CountDownLatch both) {
        synchronized (mine) {
            meet(both);
            synchronized (other) {
                both.countDown();
            }
        }
    }

    static void one(Object lock) {
        synchronized (lock) {
            lock.hashCode();
        }
    }

    static void sleep(Object box) {
        synchronized (box) {
            try {
                box.wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static void keep(Object box, Thread other) {
        synchronized (box) {
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final List<Thread> blocked = new ArrayList<>(), waiting = new ArrayList<>();

    static Thread start(List<Thread> list, Thread t, String name) {
        t.setName(name);
        list.add(t);
        t.start();
        return t;
    }

    /** A virtual thread that has not begun, or another one where there are none. */
    static Thread virtual(Runnable task) throws Exception {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (Thread) Class.forName("java.lang.Thread$Builder").getMethod("unstarted", Runnable.class)
                .invoke(builder, task);
        } catch (NoSuchMethodException e) {
            return new Thread(task);
        }
    }

    static void until(List<Thread> threads, Thread.State state) throws InterruptedException {
        for (Thread t : threads)
            while (t.getState() != state)
                Thread.sleep(1);
    }

    static void say(Thread t, ThreadInfo info) {
        StringBuilder line = new StringBuilder("thread " + t.getName() + " " + t.getState() + " ");
        line.append(info == null ? "?" : info.getLockOwnerName() == null ? "-" : info.getLockOwnerName());
        for (StackTraceElement frame : t.getStackTrace())
            if (frame.getClassName().startsWith("Locks") && !frame.getClassName().contains("$$Lambda"))
                line.append(" " + frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber());
        System.out.println(line);
    }

    static void watch() {
        try {
            until(blocked, Thread.State.BLOCKED);
            until(waiting, Thread.State.WAITING);
        } catch (InterruptedException e) {
            Runtime.getRuntime().halt(2);
        }
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        List<Thread> all = new ArrayList<>(blocked);
        all.addAll(waiting);
        for (Thread t : all)
            say(t, bean.getThreadInfo(t.getId()));
        for (ThreadInfo info : bean.getThreadInfo(bean.findMonitorDeadlockedThreads()))
            System.out.println("deadlock " + info.getThreadName() + " " + info.getLockOwnerName());
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    public static void main(String[] args) throws Exception {
        Object a = new Object(), b = new Object(), box = new Object(), v = new Object(), w = new Object();
        CountDownLatch blocks = new CountDownLatch(2), methods = new CountDownLatch(3), statics = new CountDownLatch(2),
                       classes = new CountDownLatch(2), light = new CountDownLatch(2);
        Thread there = start(blocked, new Thread(() -> two(a, b, blocks)), "there");
        start(blocked, new Thread(() -> two(b, a, blocks)), "back");
        Lock[] ring = { new Lock(), new Derived(), new Lock() };
        for (int i = 0; i < 3; i++) {
            Lock mine = ring[i], next = ring[(i + 1) % 3];
            start(blocked, new Thread(() -> mine.hold(methods, next)), "ring-" + i);
        }
        start(blocked, new Thread(() -> Left.enter(statics)), "left");
        start(blocked, new Thread(() -> Right.enter(statics)), "right");
        start(blocked, new Thread(() -> Upper.enter(classes)), "upper");
        start(blocked, new Thread(() -> Lower.enter(classes)), "lower");
        start(blocked, virtual(() -> two(v, w, light)), "light-0");
        start(blocked, virtual(() -> two(w, v, light)), "light-1");
        until(blocked, Thread.State.BLOCKED);
        start(blocked, new Thread(() -> one(a)), "queued");
        start(waiting, new Thread(() -> sleep(box)), "sleeper");
        until(waiting, Thread.State.WAITING);
        start(waiting, new Thread(() -> keep(box, there)), "keeper");
        waiting.add(Thread.currentThread());
        Thread daemon = new Thread(Locks::watch, "watch");
        daemon.setDaemon(true);
        daemon.start();
        there.join();
    }
}
