/** Constructors in which the stack ends, in the hook right behind super(...) too: each is left once. */
// agent: weave=EXEC
// agent: weave=ALL
// agent: weave=EXEC+CALL,order=total
// args: 150
// long: 600
// print: --method main
// never: METHOD_EXCEPTIONAL_EXIT StackOverflowInit.main(
public class StackOverflowInit {
    static class Below {
        int i;
        Below(int i) { this.i = i; }
    }
    static class Above extends Below {
        Above next = new Above(i + 1);
        Above(int i) { super(i); }
    }
    /** So that the stack ends elsewhere each time. */
    static int pad(int n, long a, int b) { return n == 0 ? new Above(b).i : pad(n - 1, a + b, b) + 1; }

    static int caught;
    static void overflow(int times) {
        for (int k = 0; k < times; k++)
            try { pad(k % 29, k, k); } catch (StackOverflowError e) { caught++; }
    }
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(null, () -> overflow(Integer.parseInt(args[0])), "small", 200 << 10);
        t.start();
        t.join();
        System.out.println("caught " + caught);
    }
}
