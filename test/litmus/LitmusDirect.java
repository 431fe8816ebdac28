/**
 * Messages through methods that call each other directly, and through code that is not woven: the release is in a
 * method that woven code called, behind one that it called, or in the JDK code that called it (see run.sh).
 */
// divide: 5
// groups: EXEC+CALL+PARAM EXEC+PARAM CALL+PARAM ALL
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

public class LitmusDirect {
    static int send(int i) { return i; }
    static int recv(int i) { return i; }
    static void pause(int tries) {
        if (tries < 20) Thread.onSpinWait(); else java.util.concurrent.locks.LockSupport.parkNanos(20_000);
    }

    interface Box {
        void put(int i);
        int get();
    }

    static class Volatile implements Box {
        volatile int last;
        public void put(int i) { store(i); }
        private void store(int i) { last = i; }
        public int get() { return last; }
    }

    static class Locked implements Box {
        int last;
        public void put(int i) { synchronized (this) { store(i); } }
        void store(int i) { last = i; }
        public int get() { synchronized (this) { return load(); } }
        int load() { return last; }
    }

    static class Synchronized implements Box {
        int last;
        public void put(int i) { store(i); }
        synchronized void store(int i) { last = i; }
        public synchronized int get() { return last; }
    }

    static class OfOther implements Box {
        final Volatile other = new Volatile();
        public void put(int i) { other.last = i; }
        public int get() { return other.last; }
    }

    static class Atomic implements Box {
        final AtomicInteger last = new AtomicInteger();
        public void put(int i) { last.set(i); }
        public int get() { return last.get(); }
    }

    static class Listed implements Box {
        final List<Integer> all = Collections.synchronizedList(new ArrayList<>(List.of(0)));
        public void put(int i) { all.set(0, i); }
        public int get() { return all.get(0); }
    }

    /** The release is in a lambda that the JDK calls. */
    static class Inside implements Box {
        private volatile int last;
        public void put(int i) { Optional.of(i).ifPresent(x -> last = x); }
        public int get() { return last; }
    }

    /** The JDK releases when woven code has returned to it: what the task sent, and its result. */
    static class Returned implements Box {
        private FutureTask<Integer> task; // under the lock of `this`
        public void put(int i) {
            FutureTask<Integer> t = new FutureTask<>(() -> send(i));
            synchronized (this) { task = t; }
            t.run();
        }
        public int get() {
            FutureTask<Integer> t;
            synchronized (this) { t = task; }
            try {
                return t == null ? 0 : t.get();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    static void sender(Box[] boxes, int from, int rounds, AtomicInteger seen) {
        int i = from;
        for (Box box : boxes)
            for (int k = 0; k < rounds; k++) {
                i++;
                if (!(box instanceof Returned)) send(i);
                box.put(i);
                for (int tries = 0; seen.get() != i; tries++) pause(tries);
            }
    }

    static void receiver(Box[] boxes, int from, int rounds, AtomicInteger seen) {
        int i = from;
        for (Box box : boxes)
            for (int k = 0; k < rounds; k++) {
                i++;
                for (int tries = 0; box.get() != i; tries++) pause(tries);
                recv(i);
                seen.set(i);
            }
    }

    static Box[] boxes() {
        return new Box[] { new Volatile(), new Locked(), new Synchronized(), new OfOther(), new Atomic(), new Listed(),
                           new Inside(), new Returned() };
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]) / 8, all = rounds * 8;
        AtomicInteger seen = new AtomicInteger();
        Box[] there = boxes(), back = boxes();
        Thread other = new Thread(() -> {
            receiver(there, 0, rounds, seen);
            sender(back, all, rounds, seen);
        });
        other.start();
        sender(there, 0, rounds, seen);
        receiver(back, all, rounds, seen); // the thread with the smaller number is the one that must come second
        other.join();
        System.out.println("done " + seen.get());
    }
}
