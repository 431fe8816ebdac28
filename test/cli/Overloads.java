import java.util.Map;

/** Methods that only their parameters distinguish. */
public class Overloads {
    static int m() { return 0; }
    static int m(int x) { return 1; }
    static int m(int[] x) { return 2; }
    static int m(String... x) { return 3; }
    static int m(Map.Entry<String, String> x) { return 4; }
    static int m(long x, String[][] y, Inner z) { return 5; }
    static class Inner { }

    public static void main(String[] args) {
        System.out.println(m() + m(1) + m(new int[0]) + m("a"));
        System.out.println(m((Map.Entry<String, String>) null) + m(1L, null, null));
    }
}
