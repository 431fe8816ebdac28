/**
 * Recursion as deep as the interpreter's default stack allows within a factor: hooks that C1 inlines must not make its
 * frames large.
 */
// print: --method main
// agent: weave=ALL | -XX:TieredStopAtLevel=1
// agent: weave=ALL | -XX:TieredStopAtLevel=3
// agent: weave=EXEC+CALL+PARAM | -XX:TieredStopAtLevel=1
// agent: weave=ALL
// never: METHOD_EXCEPTIONAL_EXIT DeepRecursion.main(
public class DeepRecursion {
    static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
    int field;
    int wide(long a, double b, Object c, int n) {
        field += n;
        return n == 0 ? c.hashCode() : wide(a + 1, b + 1, c, n - 1) + 1;
    }
    public static void main(String[] args) {
        for (int i = 0; i < 600; i++) down(100); // compiled before it gets deep
        DeepRecursion d = new DeepRecursion();
        for (int i = 0; i < 1000; i++) d.wide(1, 2, "c", 30);
        System.out.println(down(4000) + " " + d.wide(1, 2, "c", 2000) + " " + d.field);
    }
}
