import java.util.ArrayList;
import java.util.List;

/**
 * Loops long enough for their data IDs to be kept by the hooks (logging/aggregate/counters.h). Arguments: threads that
 * work at the same time, each with a method of its own, rounds. With one thread the program is the same every time,
 * event by event.
 *
 * Among what it does: constructors left inside super(...), whose exits the recorder infers, caught where they are seen
 * and where they are not (in code of the JDK that is not woven); threads that end and are followed by others.
 */
public class Hot {
    static class Base {
        final int n;
        Base(int n) {
            this.n = n;
            if (n % 64 == 7)
                throw new IllegalStateException("n " + n);
        }
    }

    static class Derived extends Base {
        final long twice;
        Derived(int n) {
            super(n);
            twice = 2L * n;
        }
    }

    /** Its super constructor is called with a null that code which is not woven refuses. */
    static class Text extends ArrayList<Object> {
        Text(Object[] from) {
            super(from == null ? null : List.of(from));
        }
    }

    private double sum;
    private final double[] cells = new double[64];
    private final String[] names = { "a", "b", "c", null };
    private int failures;

    private void round(int i) {
        cells[i & 63] = cells[i * 7 & 63] * 0.5 + i;
        sum += cells[i & 63];
        String name = names[i & 3];
        if (name != null && (float) i > 3.5f)
            names[i % 3] = name;
        if ((i & 15) == 0)
            try {
                sum += new Derived(i >> 4).twice;
            } catch (IllegalStateException e) {
                failures++;
            }
        if ((i & 511) == 0)
            quietly(i);
    }

    /** A constructor that fails in a callback from code that is not woven and is caught there. */
    private void quietly(int i) {
        Runnable r = () -> new Text((i & 512) == 0 ? null : names);
        java.util.concurrent.FutureTask<Object> task = new java.util.concurrent.FutureTask<>(r, null);
        task.run();
        failures += task.isDone() ? 1 : 0;
    }

    static double one(Hot h, int rounds) { for (int i = 0; i < rounds; i++) h.round(i); return h.sum + h.failures; }
    static double two(Hot h, int rounds) {
        long x = 1;
        for (int i = 0; i < rounds; i++) {
            x = x * 31 + i;
            h.cells[i & 63] += x & 7;
        }
        return x + h.sum;
    }
    static double three(Hot h, int rounds) {
        char c = 'a';
        byte b = 0;
        for (int i = 0; i < rounds; i++) {
            c++;
            b += c;
            h.names[i & 1] = b > 0 ? "p" : "n";
        }
        return c + b;
    }

    static void join(Thread t) {
        try {
            t.start();
            t.join();
        } catch (InterruptedException e) { throw new AssertionError(e); }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
        if (threads == 1) {
            System.out.println(one(new Hot(), rounds));
            return;
        }
        double[] results = new double[3];
        for (int generation = 0; generation < 2; generation++) { // the second uses the descriptors of the first
            List<Thread> all = new ArrayList<>();
            all.add(new Thread(() -> results[0] += one(new Hot(), rounds), "one"));
            all.add(new Thread(() -> results[1] += two(new Hot(), rounds), "two"));
            all.add(new Thread(() -> results[2] += three(new Hot(), rounds), "three"));
            if (generation == 1)
                all.forEach(Hot::join);
            else {
                all.forEach(Thread::start);
                for (Thread t : all)
                    t.join();
            }
        }
        System.out.println(results[0] + " " + results[1] + " " + results[2]);
    }
}
