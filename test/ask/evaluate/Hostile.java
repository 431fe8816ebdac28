import java.math.BigInteger;
import java.util.*;

// Methods that have no end, or take all memory: executed for an answer they are stopped.
class Hostile {
    int[] field = new int[8];
    Hostile next;

    static int loop(int n) {
        while (true)
            n++;
    }
    static int deep(int n) { return deep(n + 1) + 1; }
    static String doubled(String s) {
        while (true)
            s += s;
    }
    static int arrays() {
        List<int[]> all = new ArrayList<>();
        while (true)
            all.add(new int[1 << 20]);
    }
    static int objects() {
        Hostile first = null;
        while (true) {
            Hostile h = new Hostile();
            h.next = first;
            first = h;
        }
    }
    static int compared(int n) {
        String a = "x".repeat(1 << 22), b = "x".repeat(1 << 22);
        while (true)
            n += a.equals(b) ? 1 : 0;
    }
    static int searched() { return "a".repeat(1 << 22).indexOf("a".repeat(1 << 20) + "b"); }
    static int reversed() {
        StringBuilder b = new StringBuilder("a".repeat(1 << 22));
        while (true)
            b.reverse();
    }
    static int listed() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 10000; i++)
            all.add("s");
        while (true)
            all.indexOf("t");
    }
    static int nested() {
        List<Object> l = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            List<Object> outer = new ArrayList<>();
            outer.add(l);
            outer.add(l);
            l = outer;
        }
        return l.hashCode();
    }
    static int itself() {
        List<Object> l = new ArrayList<>();
        l.add(l);
        return l.toString().length();
    }
    static BigInteger big() {
        BigInteger b = BigInteger.valueOf(3);
        while (true)
            b = b.multiply(b);
    }
    static int bigs() {
        BigInteger b = BigInteger.valueOf(3).pow(4000);
        while (true)
            b.compareTo(b.add(b));
    }
    static String wide() { return String.format("%1000000000d", 1); }
    static long[][] grid() { return new long[2][3]; }
    static int negative() { return new int[-1].length; }
    static int caught(int n) {
        for (;;)
            try {
                n += caught(n);
            } catch (Throwable t) {
                n++;
            }
    }
    static int started() {
        System.exit(7);
        new Thread(() -> { }).start();
        return 1;
    }

    public static void main(String[] args) { new Hostile().run(); }
    void run() { BigInteger.valueOf(field.length).pow(2).add(BigInteger.TEN); }
}
