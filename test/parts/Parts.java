/**
 * What is recorded in parts: calls that nest and repeat, exceptions, arrays; two threads that take turns; and an end
 * by kill -9.
 */
public class Parts {
    static int shared;
    int field;
    static int[] cells = new int[8];

    static void before(int v) { shared = v; }
    static int feature(int n) {
        cells[n & 7] = n;
        Parts p = new Parts();
        p.field = cells[n & 7];
        return n == 0 ? p.field : feature(n - 1) + p.field;
    }
    static void thrower(int n) {
        if (n == 0)
            throw new IllegalStateException("from " + n);
        thrower(n - 1);
    }
    static int catcher(int n) {
        try {
            thrower(n);
            return 0;
        } catch (IllegalStateException e) {
            return n;
        }
    }
    static void set(int v) { shared = v; }
    static long four(int a, long b, double c, int d) { return a + b + (long) c + d; }
    Object kept(String a, Object b, String c) { return c; }

    static void plain() {
        before(1);
        int sum = feature(3);
        set(sum);
        for (int i = 0; i < 3; i++)
            sum += catcher(i);
        int[][] grid = new int[2][3];
        grid[1][2] = sum;
        before(grid[1][2]);
        for (int i = 0; i < 4; i++)
            feature(i & 1);
        four(11, 22L, 33.5, 44); // an entry and a call with as many values as a record has
        new Parts().kept("a", "b", "c");
        set(7);
    }

    /* Several chunks of events; the frames that are open where `turn` is called began long before. */
    static long work(int rounds, long seed) {
        long[] seen = new long[7];
        String text = "";
        for (int i = 0; i < rounds; i++) {
            seed = seed * 31 + seen[i % 7];
            seen[(i + 3) % 7] += seed >>> (i & 15);
            if (i % 1000 == 0)
                text = text.length() > 20 ? "" : text + i;
        }
        return seed + text.length();
    }
    static long turn(long v) { shared++; return v ^ shared; }
    static long deep(int n, long v) {
        double half = v / 2.0;
        v += work(300, v);
        if (n == 20 || n == 7)
            v = turn(v);
        if (n > 0)
            v += deep(n - 1, v * 3);
        try {
            if (n % 3 == 0)
                thrower(n);
        } catch (IllegalStateException e) {
            v += e.getMessage().length();
        }
        if (n == 12)
            v = turn(v);
        return v + (long) half;
    }

    static void die() throws Exception {
        String[] command = { "kill", "-9", Long.toString(ProcessHandle.current().pid()) };
        Runtime.getRuntime().exec(command).waitFor();
        Thread.sleep(10000);
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "plain" -> plain();
            case "turns" -> Turns.run();
            case "open" -> { before(1); feature(1); for (int i = 0; i < 100; i++) set(i); die(); }
            case "long" -> System.out.println(work(20_000, 5) + deep(30, 1) + work(20_000, 7) + deep(25, 2));
            case "never" -> before(1);
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("done " + shared);
    }
}

/** Not recorded: each step is a thread of its own and waits for the one before, so there is one order. */
class Turns {
    static void run() throws InterruptedException {
        Runnable[] steps = { () -> Parts.before(1), () -> Parts.feature(2), () -> Parts.set(2), () -> Parts.catcher(2),
            () -> Parts.set(3), () -> Parts.feature(0), () -> Parts.before(4) };
        for (Runnable step : steps) {
            Thread t = new Thread(step);
            t.start();
            t.join();
        }
    }
}
