import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Calls with many events of their own: loops, recursion, exceptions, constructors that fail, and two threads that take
 * turns. Every run does the same in the same order. */
public class Percall {
    static int total;
    static Shared handed;
    int[] cells = new int[4];
    long sum;
    String name = "first";
    List<Object> kept = new ArrayList<>();

    static class Shared {
        int value;
        Object held;
        final int fixed;

        Shared(int fixed) {
            this.fixed = fixed;
        }
    }

    static class Failing extends Shared {
        final int own;

        Failing(int i) {
            super(check(i));
            own = i;
        }

        static int check(int i) {
            if (i == 2) throw new IllegalArgumentException("two");
            return i + 1;
        }
    }

    int step(int i, int by) {
        int x = i * by;
        for (int k = 0; k < i % 4; k++) x += k;
        cells[i & 3] = x;
        return x;
    }

    long run(int n) {
        long s = 0;
        for (int i = 0; i < n; i++) {
            s += step(i, 3);
            sum = s;
            if (i % 5 == 0) kept.add("at " + i);
        }
        return s;
    }

    void rename(String to) {
        name = to;
        sum = -1;
        cells[1] = 77;
    }

    static int fib(int n) {
        if (n < 2) return n;
        int a = fib(n - 1);
        int b = fib(n - 2);
        int c = a + b;
        total += c;
        return c;
    }

    static void risky(int i) {
        if (i % 3 == 0) throw new IllegalStateException("at " + i);
    }

    static int guarded(int n) {
        int bad = 0;
        for (int i = 0; i < n; i++) {
            try {
                risky(i);
            } catch (IllegalStateException e) {
                bad++;
                if (i > 5) throw e;
            }
        }
        return bad;
    }

    synchronized int locked(Object o, int n) {
        int k = 0;
        for (int i = 0; i < n; i++) {
            synchronized (o) {
                k += i;
            }
        }
        return k;
    }

    static final Semaphore mine = new Semaphore(0), theirs = new Semaphore(0);

    /** Stands in its loop while the other thread writes. */
    static void other(int n) {
        for (int i = 0; i < n; i++) {
            theirs.acquireUninterruptibly();
            handed.value = i * 10;
            handed.held = "other " + i;
            mine.release();
        }
    }

    static int turn(int i) {
        handed.value = i;
        theirs.release();
        mine.acquireUninterruptibly();
        return handed.value;
    }

    static int turns(int n) {
        int seen = 0;
        for (int i = 0; i < n; i++) seen += turn(i);
        return seen;
    }

    static Object make(int i) {
        try {
            return new Failing(i);
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** Other ways to end, for run.sh. */
    static void more(String what, Percall p) throws Exception {
        if (what.equals("parallel")) {
            Thread[] all = new Thread[3];
            for (int i = 0; i < all.length; i++) {
                Percall own = new Percall();
                all[i] = new Thread(() -> own.run(300));
                all[i].start();
            }
            for (Thread t : all) t.join();
        } else if (what.equals("killed")) {
            for (int i = 0; i < 40; i++) {
                p.run(3);
                if (i % 10 == 9) Thread.sleep(300);
            }
            new ProcessBuilder("sh", "-c", "kill -9 $PPID").start().waitFor();
        } else if (what.equals("periods")) {
            for (int i = 0; i < 3; i++) {
                System.out.println("ready");
                System.in.read();
                p.run(30);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            more(args[0], new Percall());
            return;
        }
        Percall p = new Percall();
        p.run(9);
        p.rename("second");
        p.run(12);
        fib(6);
        try {
            guarded(9);
        } catch (IllegalStateException e) {
            p.rename(e.getMessage());
        }
        for (int i = 0; i < 5; i++) p.kept.add(make(i));
        p.locked(p.kept, 6);
        handed = new Shared(5);
        Thread t = new Thread(() -> other(6));
        t.start();
        int seen = turns(6);
        t.join();
        System.out.println(p.name + " " + p.sum + " " + p.cells[1] + " " + p.kept.size() + " " + seen + " " + total);
    }
}
