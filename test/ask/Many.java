/** More of everything than a program usually has: no answer ends at a number that somebody thought large enough. */
// record: weave=ALL,e=Many$Outside
import java.util.ArrayList;
import java.util.List;

public class Many {
    static class Lock { }
    static class Outside {
        static int last(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m,
                        int n, int o, int p, int q, int r, int s, int t) {
            if (t < 0) throw new IllegalStateException("t");
            return t;
        }
    }
    static class D0 extends Exception { } static class D1 extends D0 { } static class D2 extends D1 { }
    static class D3 extends D2 { } static class D4 extends D3 { } static class D5 extends D4 { }
    static class D6 extends D5 { } static class D7 extends D6 { } static class D8 extends D7 { }
    static class D9 extends D8 { } static class D10 extends D9 { } static class D11 extends D10 { }
    static class D12 extends D11 { } static class D13 extends D12 { } static class D14 extends D13 { }
    static class D15 extends D14 { } static class D16 extends D15 { } static class D17 extends D16 { }
    static class D18 extends D17 { } static class D19 extends D18 { } static class D20 extends D19 { }
    static class D21 extends D20 { } static class D22 extends D21 { } static class D23 extends D22 { }
    static class D24 extends D23 { } static class D25 extends D24 { } static class D26 extends D25 { }
    static class D27 extends D26 { } static class D28 extends D27 { } static class D29 extends D28 { }
    static class D30 extends D29 { } static class D31 extends D30 { } static class D32 extends D31 { }
    static class D33 extends D32 { } static class D34 extends D33 { } static class D35 extends D34 { }
    static class D36 extends D35 { } static class D37 extends D36 { } static class D38 extends D37 { }
    static class D39 extends D38 { } static class D40 extends D39 { } static class D41 extends D40 { }
    static class D42 extends D41 { } static class D43 extends D42 { } static class D44 extends D43 { }
    static class D45 extends D44 { } static class D46 extends D45 { } static class D47 extends D46 { }
    static class D48 extends D47 { } static class D49 extends D48 { } static class D50 extends D49 { }
    static class D51 extends D50 { } static class D52 extends D51 { } static class D53 extends D52 { }
    static class D54 extends D53 { } static class D55 extends D54 { } static class D56 extends D55 { }
    static class D57 extends D56 { } static class D58 extends D57 { } static class D59 extends D58 { }
    static class D60 extends D59 { } static class D61 extends D60 { } static class D62 extends D61 { }
    static class D63 extends D62 { } static class D64 extends D63 { } static class D65 extends D64 { }
    static class D66 extends D65 { } static class D67 extends D66 { } static class D68 extends D67 { }
    static class D69 extends D68 { } static class D70 extends D69 { }
    static int work;

    /** Each of 40 threads enters a monitor inside of another one: together a circle of 40. */
    static void circle() throws Exception {
        Lock[] locks = new Lock[40];
        for (int i = 0; i < locks.length; i++) locks[i] = new Lock();
        for (int i = 0; i < locks.length; i++) {
            Lock outer = locks[i], inner = locks[(i + 1) % locks.length];
            Thread t = new Thread(() -> {
                synchronized (outer) {
                    synchronized (inner) { work++; }
                }
            });
            t.start();
            t.join();
        }
    }
    static int wide(int seen) {
        return Outside.last(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, seen);
    }
    static void refused(int given) {
        try {
            Outside.last(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, given);
        } catch (IllegalStateException e) { work++; }
    }
    static void dimensions(int length) {
        try {
            work += new int[length][1][1][1][1].length;
        } catch (NegativeArraySizeException e) { work++; }
    }
    static void same(int value) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 40; i++) threads.add(new Thread(() -> work += value));
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
    }
    static int copies(int value) {
        int[] from = { value };
        for (int i = 0; i < 30; i++) {
            int[] to = new int[1];
            System.arraycopy(from, 0, to, 0, 1);
            from = to;
        }
        return from[0];
    }
    static int arm(int n) { return n; }
    static int chosen(int k) {
        return switch (k) {
            case 0 -> arm(100); case 1 -> arm(101); case 2 -> arm(102); case 3 -> arm(103); case 4 -> arm(104);
            case 5 -> arm(105); case 6 -> arm(106); case 7 -> arm(107); case 8 -> arm(108); case 9 -> arm(109);
            case 10 -> arm(110); default -> arm(111);
        };
    }
    static void deep() throws D0 { throw new D70(); }
    static int caught() {
        try {
            deep();
            return 0;
        } catch (D0 e) {
            return 1;
        }
    }
    public static void main(String[] args) throws Exception {
        circle();
        System.out.println(wide(4711) + caught() + chosen(11));
        refused(-4712);
        dimensions(-4713);
        System.out.println(copies(4714));
        same(4715);
    }
}
