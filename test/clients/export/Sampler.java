import java.util.ArrayList;
import java.util.List;

/**
 * What every exporter must carry: values at the ends of their types, texts with every kind of character, nested calls,
 * recursion, exceptions caught in another method and thrown through several, fields, arrays, locks between two threads.
 * Prints what it did, so that a test can compute the expected rows. Deterministic within each thread.
 */
public class Sampler {
    static class Account {
        private long balance;
        private String owner;
        final Account parent;
        int[] history = new int[4];

        Account(String owner, Account parent) {
            this.owner = owner;
            this.parent = parent;
        }

        synchronized long add(long amount, int at) {
            balance += amount;
            history[at & 3] = (int) amount;
            return balance;
        }

        void check(int depth) {
            if (depth == 0) throw new IllegalStateException("no \"money\";\n\tfor " + owner);
            check(depth - 1);
        }
    }

    static class Inner$Dollar {
        char unit = '\ud800';
        boolean flag = true;
        byte small = -128;
        short half = -32768;
    }

    static double[] doubles = { 0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE, Double.MAX_VALUE, 0.1, 1e300 };
    static float[] floats = { -0.0f, Float.NaN, Float.MIN_VALUE, Float.MAX_VALUE, 0.1f };
    static long[] longs = { Long.MAX_VALUE, Long.MIN_VALUE, -1, 0, (1L << 53) + 1 };
    static int[] ints = { Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0 };
    static String[] texts = { "", "plain", "a\"quote\"", "line\nfeed", "tab\tcr\r", "nul\0end", "\u0001\u001b[31m",
        "\ud83d\ude00", "lone\ud800", "\udc00lone", "a,b;c|d", "<b>&amp;</b>", "'single'", "back\\slash",
        "\u00e4\u4e2d", "\u202ertl", "]]>", "%s %d" };

    static double echo(double d) { return d; }
    static float echo(float f) { return f; }
    static long echo(long l) { return l; }
    static int echo(int i) { return i; }
    static char echo(char c) { return c; }
    static String echo(String s) { return s; }
    static Object echo(Object o) { return o; }

    static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) sum += echo(i);
        return sum;
    }

    static void values() {
        for (double d : doubles) echo(d);
        for (float f : floats) echo(f);
        for (long l : longs) echo(l);
        for (int i : ints) echo(i);
        for (String s : texts) echo(s);
        Inner$Dollar inner = new Inner$Dollar();
        echo(inner.unit);
        echo((Object) null);
        echo((Object) inner);
        echo((Object) new int[2][3]);
    }

    static String failures(Account a) {
        try {
            a.check(3);
            return "none";
        } catch (IllegalStateException e) {
            return e.getMessage();
        }
    }

    static int divide(int a, int b) { return a / b; }

    /** Thrown by the JVM, and passed on by hand; thrown by the JDK and caught where it comes from. */
    static int faults() {
        try {
            try {
                return divide(1, 0);
            } catch (ArithmeticException e) {
                throw e;
            }
        } catch (ArithmeticException e) {
            try {
                return Integer.parseInt("1O");
            } catch (NumberFormatException f) {
                return -1;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        Account bank = new Account("bank", null), mine = new Account("o'wner \"x\"", bank);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
            final int number = t;
            Thread thread = new Thread(() -> {
                for (int i = 0; i < rounds; i++) mine.add(number + 1, i);
            }, "worker; <" + t + "> \"q\"");
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) thread.join();
        values();
        System.out.println(mine.balance + " " + fibonacci(6) + " " + loop(5)
            + " " + failures(mine).length() + " " + faults());
    }
}
