import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Code of many kinds, which the fuzzing of expressions executes; its run records a moment in each class. */
public class Asked {
    static class Numbers {
        int i = 7;
        long l = -9;
        float f = 1.5f;
        double d = -0.0;

        int ints(int n) {
            int r = n * 3 - i / 2 % 5;
            r ^= n << 3 | r >>> 1 & ~n;
            i += (byte) r + (short) n - (char) r;
            return n > r ? -r : r;
        }
        long longs(long n) { return (n ^ l << 2) / 3 - (n % 7 >>> 1) + (l & n | 1) + Long.compare(n, l); }
        double reals(double n) {
            f = (float) n * f - (int) f;
            return n < d ? n / f : (long) n % 2.5 + Math.sqrt(f);
        }
        int chosen(int n) {
            switch (n & 7) {
            case 0: return ints(1);
            case 1:
            case 2: n++;
            case 5: return n;
            default: break;
            }
            switch (n) {
            case 100: return 1;
            case -5000: return 2;
            default: return n == 9 ? 3 : 4;
            }
        }
        int looped(int n) {
            int s = 0;
            for (int k = 0; k < n; k++) {
                if (k % 3 == 0)
                    continue;
                s += k;
            }
            return s;
        }
    }

    interface Named {
        String name();
        default String twice() { return name() + name(); }
    }

    static class Node implements Named {
        static int made = 3;
        Node next;
        final String name;
        Node(String name, Node next) {
            this.name = name;
            this.next = next;
            made++;
        }
        public String name() { return name; }
        int depth() { return next == null ? 1 : 1 + next.depth(); }
        boolean holds(Object o) { return o instanceof Node n && (n.next == next || n.name.equals(name)); }
        Node grown(int n) { return n <= 0 ? this : new Node(name + n, this).grown(n - 1); }
        @Override public String toString() { return "Node " + name + ", " + depth(); }
    }

    static class Arrays {
        final int[] row = { 1, 2, 3 };
        Object[] any = { "a", 2, null };
        long[][] grid = new long[2][3];

        int filled(int n) {
            boolean[] z = new boolean[n];
            byte[] b = { 1, -1 };
            char[] c = { 'x', 'y' };
            short[] s = new short[2];
            float[] f = { 0.5f };
            double[] d = { 2.5 };
            z[0] = b[1] < c[0];
            s[1] = (short) (f[0] + d[0]);
            grid[1][n % 3] = row[n % 3] + b.length;
            any[2] = z[0] ? grid : c;
            return row.length + (int) grid[1][n % 3] + s[1];
        }
        int caught(int n) {
            try {
                synchronized (this) {
                    return row[n] / (n - 1);
                }
            } catch (ArithmeticException | ArrayIndexOutOfBoundsException e) {
                return e.getMessage().length();
            } finally {
                row[0]++;
            }
        }
        String thrown(int n) {
            if (n > 2)
                throw new IllegalStateException("more than 2: " + n);
            return ((String) any[n]).trim();
        }
    }

    static class Texts {
        final List<String> all = new ArrayList<>();
        String text = "abc";

        String built(int n) {
            StringBuilder b = new StringBuilder(text);
            for (String s : all)
                b.append(s).append(n).append(',');
            return b.reverse().toString() + n + 'c' + 2.5 + null;
        }
        int applied(int n) {
            IntUnaryOperator f = v -> v * 3 + text.length(), g = this::square;
            return f.applyAsInt(n) + g.applyAsInt(n);
        }
        int square(int n) { return n * n; }
        long streamed(int n) { return all.stream().map(s -> s + n).filter(s -> s.length() > 2).distinct().count(); }
        String formatted(int n) { return String.format("%05d|%-4s|%x", n, text, n); }
    }

    Numbers numbers = new Numbers();
    Node node = new Node("a", new Node("b", null));
    Arrays arrays = new Arrays();
    Texts texts = new Texts();

    void run(int n, String s) {
        texts.all.add(s);
        texts.all.add("two");
        numbers.ints(n);
        numbers.reals(n);
        node.grown(2).depth();
        arrays.filled(n);
        arrays.caught(9);
        texts.built(n);
        here(n);
    }
    void here(int n) { }

    public static void main(String[] args) {
        new Asked().run(2, "one");
        new Asked().run(5, "three");
    }
}
