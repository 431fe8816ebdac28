/** A small program for the tests of the command: calls with every kind of parameter, a string, an exception. */
public class Hello {
    int field;
    Hello(int f) { field = f; }
    int add(int a, long b, double c, float d, boolean e, char f, String s, Object o) {
        return a + (int) b + (int) c + (int) d + (e ? 1 : 0) + f + s.length() + (o == null ? 0 : 1);
    }
    static String greet(String who) { return "hello, " + who; }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    public static void main(String[] args) throws Exception {
        System.out.println(greet(args.length > 0 ? args[0] : "world"));
        System.out.println(new Hello(3).add(1, 1L << 62, -0.0, Float.NaN, true, 'x', "text", null));
        try {
            throw new IllegalStateException("wrong");
        } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        Thread t = new Thread(() -> System.out.println(fib(10)), "second");
        t.start();
        t.join();
        if (args.length > 1) System.exit(Integer.parseInt(args[1]));
    }
}
