/**
 * Messages through methods that call each other directly, and through code that is not woven: the release is in a
 * method that woven code called, behind one that it called, or in the JDK code that called it (see run.sh). Who waits
 * calls nothing for a while, where that is possible: its own calls would order the events, too.
 */
// labels: slow
// divide: 40
// groups: EXEC+CALL+PARAM
// events: METHOD_PARAM
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

public class LitmusDirect {
    static int send(int i) { return i; }
    static int recv(int i) { return i; }

    static void rest(int n) { if (n > 0 && n % 200 == 0) Thread.yield(); }

    interface Box {
        void put(int i);
        void await(int i);
    }

    static class Volatile implements Box {
        volatile int last;
        public void put(int i) { store(i); }
        private void store(int i) { last = i; }
        public void await(int i) { for (int n = 0; last != i; n++) rest(n); }
    }

    static class Locked implements Box {
        int last;
        public void put(int i) { synchronized (this) { store(i); } }
        void store(int i) { last = i; }
        public void await(int i) { for (int n = 0; load() != i; n++) rest(n); }
        int load() { synchronized (this) { return last; } }
    }

    static class Synchronized implements Box {
        int last;
        public void put(int i) { store(i); }
        synchronized void store(int i) { last = i; }
        public void await(int i) { for (int n = 0; load() != i; n++) rest(n); }
        synchronized int load() { return last; }
    }

    static class OfOther implements Box {
        final Volatile other = new Volatile();
        public void put(int i) { other.last = i; }
        public void await(int i) { for (int n = 0; other.last != i; n++) rest(n); }
    }

    static class Atomic implements Box {
        final AtomicInteger last = new AtomicInteger();
        public void put(int i) { last.set(i); }
        public void await(int i) { for (int n = 0; last.get() != i; n++) rest(n); }
    }

    static class Listed implements Box {
        final List<Integer> all = Collections.synchronizedList(new ArrayList<>(List.of(0)));
        public void put(int i) { all.set(0, i); }
        public void await(int i) { for (int n = 0; all.get(0) != i; n++) rest(n); }
    }

    /** The release is in a lambda that the JDK calls. */
    static class Inside implements Box {
        private volatile int last;
        public void put(int i) { Optional.of(i).ifPresent(x -> last = x); }
        public void await(int i) { for (int n = 0; last != i; n++) rest(n); }
    }

    /** The JDK releases when woven code has returned to it, to a thread that waits in the JDK. */
    static class Returned implements Box {
        private FutureTask<Integer> task;
        private volatile int offered, waits;
        public void put(int i) {
            FutureTask<Integer> t = new FutureTask<>(() -> send(i));
            task = t;
            offered = i;
            for (int n = 0; waits != i; n++) rest(n);
            for (long until = System.nanoTime() + 30_000; System.nanoTime() < until;) {}
            t.run();
        }
        public void await(int i) {
            for (int n = 0; offered != i; n++) rest(n);
            FutureTask<Integer> t = task;
            waits = i;
            try {
                t.get();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    static volatile int seen;

    static void publish(Box box, int i) {
        if (i > 0 && !(box instanceof Returned)) send(i);
        box.put(i);
    }

    static void receive(Box box, int i) {
        box.await(i);
        if (i > 0) recv(i);
    }

    static final int WARM = 8_000; // so often that it is known what the calls enter

    static void sender(Box[] boxes, int from, int rounds) {
        int i = from;
        Box[] warm = boxes();
        for (int kind = 0; kind < boxes.length; kind++) {
            for (int k = 0; k < WARM && !(boxes[kind] instanceof Returned); k++) publish(warm[kind], 0);
            for (int k = 0; k < rounds; k++) {
                publish(boxes[kind], ++i);
                for (int n = 0; seen != i; n++) rest(n);
            }
        }
    }

    static void receiver(Box[] boxes, int from, int rounds) {
        int i = from;
        Box[] warm = boxes();
        for (int kind = 0; kind < boxes.length; kind++) {
            for (int k = 0; k < WARM && !(boxes[kind] instanceof Returned); k++) receive(warm[kind], 0);
            for (int k = 0; k < rounds; k++) {
                receive(boxes[kind], ++i);
                seen = i;
            }
        }
    }

    static Box[] boxes() {
        return new Box[] { new Volatile(), new Locked(), new Synchronized(), new OfOther(), new Atomic(), new Listed(),
                           new Inside(), new Returned() };
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]) / 8, all = rounds * 8;
        Box[] there = boxes(), back = boxes();
        Thread other = new Thread(() -> {
            receiver(there, 0, rounds);
            sender(back, all, rounds);
        });
        other.start();
        sender(there, 0, rounds);
        receiver(back, all, rounds); // of events that nothing orders, those of this thread come first
        other.join();
        System.out.println("done " + seen);
    }
}
