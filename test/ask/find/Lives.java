import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.*;

/** Values of every kind in every place, in so many threads that the index of their trace has several segments. */
public class Lives {
    enum Colour { RED, GREEN }
    static class Item {
        byte b; short s; char c; int i; long j; float f; double d; boolean z; Object o; String name;
        static int made; static Item last;
        Item(int n) {
            b = (byte) (n % 50); s = (short) (-n); c = (char) ('a' + n % 20); i = n * 1000; j = n * 5_000_000_000L;
            f = n / 4f; d = n / 8.0; z = n % 3 == 0; o = n % 5 == 0 ? null : n; name = "item " + n;
            made++; last = this;
        }
    }
    static long sum(int[] all, Object what) { long s = 0; for (int x : all) s += x; return what == null ? -s : s; }
    static Object pick(int n) {
        switch (n % 6) {
        case 0: return n;
        case 1: return "text " + n % 10;
        case 2: return new BigDecimal(n + ".50");
        case 3: return LocalDate.of(2026, 1, 1 + n % 28);
        case 4: return n % 12 == 4 ? Colour.RED : Colour.GREEN;
        default: return n % 12 == 5 ? (Object) (char) ('A' + n % 26) : (Object) (n / 16.0);
        }
    }
    static void fail(int n) { throw new IllegalArgumentException("no " + n); }
    static synchronized void work(int n) {
        Item item = new Item(n);
        int[] numbers = { n, -n, 77, Integer.MIN_VALUE + n };
        boolean[] flags = { n % 2 == 0, true };
        char[] letters = { 'q', (char) ('0' + n % 10) };
        double[] reals = { n * 0.1, Double.NaN };
        String[] words = { "word " + n % 7, null };
        long total = sum(numbers, pick(n));
        item.j += total;
        if (flags[1] && letters[0] == 'q' && reals[0] >= 0 && words[1] == null)
            item.i++;
        if (n == 111)
            item.i = 424242; // nowhere else
        try { if (n % 4 == 0) fail(n); } catch (IllegalArgumentException e) { item.o = e; }
        System.out.println("done " + n);
    }
    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 150; n++) {
            final int k = n;
            Thread t = new Thread(() -> work(k));
            t.start();
            t.join();
        }
    }
}
