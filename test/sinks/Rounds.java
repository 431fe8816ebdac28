/**
 * Loops that call nothing, which `freq` counts in local variables (weaver/loops.c), left in every way: at their
 * head and in the middle, past the loop around them, by a return, by exceptions that are caught in the loop, around it
 * and by the caller. Argument: how often; or `long`: one loop of 40 million rounds, whose number it prints.
 */
public class Rounds {
    static int total;
    final int[] cells = new int[32];
    volatile int shared;

    static int sums(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            for (int k = i; k < n; k += 2)
                sum += i * k;
        do {
            sum -= n;
        } while (sum > 0 && (sum & 7) != 0);
        return sum;
    }

    static int outer(int[] a, int what) {
        int seen = 0;
        rows:
        for (int i = 0; i < a.length; i++) {
            for (int k = 0; k < i; k++) {
                seen++;
                if (a[k] == what) break rows;
                if (a[k] < 0) continue rows;
                if (a[k] == what + 1) return -seen;
            }
            a[i] ^= what;
        }
        return seen;
    }

    /** Leaves the array, and the loop with it. */
    static int beyond(int[] a, int from) {
        int i = from, k = 0;
        try {
            while (true) {
                a[i] += k++;
                i += 3;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            return k;
        }
    }

    static int within(Rounds[] all) {
        int missing = 0;
        for (int i = 0; i < all.length; i++)
            try {
                all[i].cells[i % 32] += 100 / (i % 5);
            } catch (NullPointerException e) {
                missing++;
            } catch (ArithmeticException e) {
                if (i % 10 == 0) continue;
                missing += 2;
            } finally {
                total += i;
            }
        return missing;
    }

    static long divided(long[] by, int from) {
        long rest = 1L << 40;
        for (int i = from; ; i++) {
            rest /= by[i];
            if (rest == 0) return i;
        }
    }

    static int choose(String text) {
        int state = 0, i = 0;
        while (i < text.length()) { // a call: counted as ever
            switch (text.charAt(i++)) {
                case 'a': state += 2; break;
                case 'b': state *= 3; continue;
                default: state--;
            }
            for (int k = state; k > 0; k >>= 1) if ((k & 5) == 5) state++;
        }
        return state;
    }

    static int states(byte[] codes) {
        int sum = 0, at = 0;
        for (;;) {
            switch (codes[at++]) {
                case 0: return sum;
                case 1: sum += at; break;
                case 2: sum <<= 1; break;
                case 3: if (sum < 0) throw new IllegalStateException("sum " + sum); break;
                default: at += 1;
            }
        }
    }

    synchronized int guarded(int n) {
        int count = 0;
        synchronized (cells) {
            for (int i = 0; i < n; i++) if (cells[i & 31] > i) count++;
        }
        while (shared < n) shared++;
        shared = 0;
        return count;
    }

    Rounds() {
        for (int i = 0; i < cells.length; i++) cells[i] = i * 3;
    }

    static double row(double[][] a, float f) {
        double s = 0;
        int i = 0;
        do {
            int k = 0;
            do {
                s += a[i][k] * f;
            } while (++k < a[i].length);
        } while (++i < a.length);
        return s;
    }

    /** The loop is entered by a branch, or passed; the method calls itself in between. */
    static int entered(int n, int[] a) {
        int sum = 0, i = 0;
        if (n > 2) {
            sum = entered(n - 3, a);
            i = sum & 1;
        }
        while (i < n) sum += a[i++ & 31];
        if ((n & 1) == 0) sum -= entered(n / 2 - 1, a);
        switch (n & 3) {
            case 0: sum ^= 5; break;
            case 1: sum++;
            default: while (sum > 1000) sum >>= 1;
        }
        return sum;
    }

    /** The loop begins with the method, or never ends but by an exception of its caller's making. */
    static int first(int n) {
        while (n > 3) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        return n;
    }

    static final class Series {
        long sum, terms;
        double mean;
        float least;
        boolean any;
        static int made;

        /** Values of every kind, fields of its own and of others. */
        Series add(long[] x, float[] y, boolean[] skip, Rounds other) {
            for (int i = 0; i < x.length; i++) {
                if (skip[i & 3]) {
                    other.cells[i & 31]++;
                    continue;
                }
                sum += x[i] * terms++ - (long) (mean * y[i]);
                mean = (mean * (terms - 1) + y[i]) / terms;
                least = y[i] < least ? y[i] : least;
                any |= sum > 0;
                made += any ? 1 : 0;
            }
            for (Object o = this; o instanceof Series && terms > 7; terms--) sum ^= terms; // uses a class
            return this;
        }
    }

    static int rounds(int i, int[] a, Rounds[] all) {
        int n = sums(i % 23) + outer(a, i % 50) + beyond(a, i % 40) + within(all) + all[1].guarded(i % 60);
        n += entered(i % 19, a) + first(i % 77 + 1);
        n += (int) new Series().add(new long[] { i, 3, -i, 1 << 20, 7 }, new float[] { 1, i, -2, .5f, i },
            new boolean[] { i % 2 == 0, false, i % 3 == 0, true }, all[1]).sum;
        n += choose("abcab".substring(i % 5)) + (int) row(new double[][] { { i }, { 1, 2 }, { i, i, 3 } }, 0.5f);
        try {
            n += divided(new long[] { 1, 3, 1 << 20, i % 3, 1 << 25 }, i % 4);
        } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
            n++;
        }
        try {
            n += states(new byte[] { 1, 2, (byte) (i % 6), 1, 3, 0, (byte) (i % 2), 4 });
        } catch (RuntimeException e) {
            n--;
        }
        return n;
    }

    static int spin(int n) {
        int x = 1;
        for (int i = 0; i < n; i++) x = x * 31 + i;
        return x;
    }

    public static void main(String[] args) {
        if (args[0].equals("long")) {
            System.out.println(spin(40_000_000));
            return;
        }
        int[] a = new int[37];
        Rounds[] all = { null, new Rounds(), new Rounds(), null, new Rounds(), new Rounds(), new Rounds() };
        for (int i = Integer.parseInt(args[0]); i > 0; i--)
            total += rounds(i, a, all);
        System.out.println(total);
    }
}
