/**
 * ManyObjects LIVE GENERATIONS: LIVE objects live at once, and are all replaced GENERATIONS - 1 times, with garbage
 * collections between. show(o, key) names an object with a number of its own, so that check_ids can tell which ids
 * belong together. Each object is shown when it is made and, by another thread, after a collection. Two threads race to
 * be the first to meet those of the first slots.
 */
public class ManyObjects {
    static final int THREADS = 2, RACE = 16, HASHED = 64, LOCKED = 128;

    static void show(Object o, long key) { }

    static final class Node { Node next; }

    /** The kinds that check_ids expects, by slot. */
    static Object make(int slot) {
        switch (slot & 3) {
        case 0: return new Object();
        case 1: return new Node();
        case 2: return new int[slot & 4];
        default: return new Node[1];
        }
    }

    interface Walk { void run(int from, int to) throws Exception; }

    /** Every thread takes its part of the slots; `turn` moves the parts on to other threads. */
    static void inThreads(int live, int turn, Walk walk) throws Exception {
        Thread[] threads = new Thread[THREADS];
        Throwable[] failed = new Throwable[1];
        for (int t = 0; t < THREADS; t++) {
            long part = (t + turn) % THREADS;
            int from = (int) (part * live / THREADS), to = (int) ((part + 1) * live / THREADS);
            threads[t] = new Thread(() -> {
                try { walk.run(from, to); } catch (Throwable e) { failed[0] = e; }
            });
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        if (failed[0] != null) throw new AssertionError(failed[0]);
    }

    public static void main(String[] args) throws Exception {
        int live = Integer.parseInt(args[0]), generations = Integer.parseInt(args[1]), race = live / RACE;
        Object[] objects = new Object[live];
        int[] hashes = new int[live / HASHED + 1];
        for (int g = 0; g < generations; g++) {
            long first = (long) g * live;
            for (int i = 0; i < race; i++) objects[i] = make(i);
            inThreads(live, 0, (from, to) -> {
                for (int i = 0; i < race; i++) show(objects[i], first + i);
                for (int i = Math.max(from, race); i < to; i++) {
                    Object o = make(i);
                    objects[i] = o; // what was here is garbage
                    if (i % HASHED == 5)
                        hashes[i / HASHED] = System.identityHashCode(o); // before the recorder meets it
                    if (i % LOCKED == 9) synchronized (o) { show(o, first + i); } else show(o, first + i);
                }
            });
            System.gc();
            inThreads(live, 1, (from, to) -> {
                for (int i = from; i < to; i++) {
                    Object o = objects[i];
                    show(o, first + i);
                    if (i >= race && i % HASHED == 5 && hashes[i / HASHED] != System.identityHashCode(o))
                        throw new AssertionError("the hash of an object changed");
                }
            });
        }
        System.out.println("done " + live + " " + generations);
    }
}
