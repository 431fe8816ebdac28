import java.util.*;

/**
 * From LABEL events alone the executed path of every frame can be rebuilt; paths.py does so against the control flow
 * graph.
 */
// agent: weave=EXEC+LABEL
// agent: weave=ALL
// check: paths.py
public class Paths {
    static int loops(int n) {
        int s = 0;
        outer:
        for (int i = 0; i < n; i++) {
            int k = i;
            while (k > 0) { if (k == 3) continue outer; if (k == 17) break outer; k = k % 2 == 0 ? k / 2 : k - 1; s++; }
            do { s ^= i; } while (s > 100 && --s % 3 != 0);
        }
        return s;
    }
    static String switches(int i, String t) {
        String r = switch (i) {
            case 1 -> "one";
            case 2, 3 -> {
                try { yield "few" + 6 / (i - 2); } catch (ArithmeticException e) { yield "zero"; }
            }
            case 1000000 -> "many";
            default -> i < 0 ? "neg" : "some";
        };
        switch (t) { case "Aa": r += 1; case "BB": r += 2; break; case "C": return r; default: r += "-"; }
        return r;
    }
    static int faults(int n) {
        int r = 0;
        for (int i = 0; i < n; i++) {
            try {
                try {
                    if (i % 3 == 0) throw new IllegalStateException("x" + i);
                    Object o = i % 3 == 1 ? "s" : 5;
                    r += ((String) o).length();
                } catch (IllegalStateException e) {
                    r += deep(i);
                } finally {
                    r++;
                    if (i == 7) continue;
                }
            } catch (ClassCastException | ArithmeticException e) { r *= 2; }
            finally { synchronized (Paths.class) { r -= i & 1; } }
        }
        return r;
    }
    static int deep(int i) { if (i > 5) throw new ArithmeticException(); return i == 0 ? 1 : deep(i - 1) + 1; }
    static boolean logic(int a, int b, Object o) {
        return a > b && (o == null || a != 3) || !(b < 5) && o instanceof String s && s.length() > 1 ^ a == b;
    }
    static long numbers(long a, double b, float c) {
        long r = a > 5 ? (b < 2 ? 1 : 2) : (c >= b ? 3 : 4);
        return b != b ? -r : r;
    }
    public static void main(String[] args) {
        System.out.println(loops(30));
        for (int i : new int[] {-1, 0, 1, 2, 3, 1000000})
            for (String t : new String[] {"Aa", "BB", "C", "D"}) System.out.print(switches(i, t) + " ");
        System.out.println(faults(12));
        int n = 0;
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 7; b++)
                for (Object o : new Object[] {null, "x", "xyz", 1})
                    if (logic(a, b, o)) n++;
        System.out.println(
            n + " " + numbers(6, 1, 0) + numbers(6, Double.NaN, 1) + numbers(1, 0.5, 1) + numbers(0, 2, Float.NaN));
        int[] count = new int[1];
        new TreeSet<>(List.of(5, 3, 9)).forEach(x -> { if (x > 4) count[0] += x; });
        System.out.println(count[0]);
    }
}
