/** Records something of every kind, then waits for a line on standard input (or its end). */
public class Waits {
    private static String secret = "none";
    static int step(int n) { secret = "secret " + n; return n + 1; }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 1000; i = step(i)) {}
        System.out.println("ready");
        System.in.read();
    }
}
