/** Recursion until the stack ends, in woven code and inside hooks: the program catches it and goes on. */
// print: --method main
// agent: weave=ALL
// stderr: a StackOverflowError: recorded methods need more stack, give more with -Xss
// agent: weave=EXEC+CALL+PARAM
// never: METHOD_EXCEPTIONAL_EXIT StackOverflow.main(
public class StackOverflow {
    static int depth;
    static int down(int n) { depth++; return down(n + 1) + 1; }
    static int wide(long a, double b, Object c, int n) {
        Object o = new Object[] {a, b, c};
        return wide(a + 1, b + 1, o, n + 1) + o.hashCode();
    }
    public static void main(String[] args) throws Exception {
        int caught = 0;
        for (int i = 0; i < 40; i++) {
            depth = 0;
            try { if (i % 2 == 0) down(0); else wide(1, 2, null, 0); } catch (StackOverflowError e) { caught++; }
            if (i % 2 == 0 && depth < 100) System.out.println("too shallow: " + depth);
        }
        System.out.println("caught " + caught);
        Thread t = new Thread(null, () -> {
            try {
                down(0);
            } catch (StackOverflowError e) { System.out.println("small stack too"); }
        }, "small", 1 << 17);
        t.start(); t.join();
    }
}
