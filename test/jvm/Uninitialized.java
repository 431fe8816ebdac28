/**
 * Values that the verifier calls uninitialized never reach a hook: fields before super(...), branches in arguments,
 * loops.
 */
// agent: weave=ALL
// expect: PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION Uninitialized$Inner.<init>(
// agent: weave=FIELD
// expect: PUT_INSTANCE_FIELD_BEFORE_INITIALIZATION Uninitialized$Inner.<init>(* value #*:Uninitialized *name=this$0*
// agent: weave=LABEL
// expect: LABEL Uninitialized$Choosy.<init>(
// agent: weave=LOCAL+LINE
// agent: weave=EXEC
public class Uninitialized {
    class Inner {
        final int x;
        Inner(int x) { this.x = x + base; }
    }
    int base = 5;
    static class Choosy {
        final String text;
        Choosy(String text) { this.text = text; }
        Choosy(boolean b, Object o) {
            this(b ? new String("yes") + (o == null ? "null" : o.toString()) : b(o) ? "maybe" : pick(o));
        }
        static boolean b(Object o) { return o instanceof Integer; }
        static String pick(Object o) {
            try {
                return ((String) o).substring(1);
            } catch (ClassCastException | NullPointerException e) { return e.getClass().getName(); }
        }
    }
    static class Capturing {
        Runnable r;
        Capturing(int n) {
            this(n > 2 ? () -> System.out.println("captured " + n) : new Runnable() {
                public void run() { System.out.println("inner " + n); }
            });
        }
        Capturing(Runnable r) { this.r = r; }
    }
    public static void main(String[] args) {
        System.out.println(new Uninitialized().new Inner(3).x);
        for (Object o : new Object[] {null, 1, "abc", 2.0}) System.out.println(new Choosy(o == null, o).text);
        new Capturing(1).r.run();
        new Capturing(3).r.run();
        System.out.println(new Object() { int y = new int[] {4, 5, 6}[args.length + 1]; }.y);
    }
}
