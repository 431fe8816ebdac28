/** A constructor left by an exception has its exit event, wherever the exception comes from. */
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_ENTRY ConstructorExits$Sub.<init>(I)V
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits.check(* value #*:java.lang.IllegalArgumentException
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Sub.<init>(I)V * value #*:java.lang.IllegalArgumentException
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Base.<init>(I)V * value #*:java.lang.IllegalStateException
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Sub.<init>(I)V * value #*:java.lang.IllegalStateException
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Sub.<init>(I)V * value #*:java.lang.IllegalStateException
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Sub.<init>(Ljava/lang/String;)V * value #*:java.lang.IllegalStateException
// expect: METHOD_OBJECT_INITIALIZED ConstructorExits$Sub.<init>(I)V * value #*:ConstructorExits$Sub
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Sub.<init>(I)V * value #*:java.lang.ArithmeticException
// expect: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Base.<init>(I)V * value #*:java.lang.IllegalStateException
// next: METHOD_EXCEPTIONAL_EXIT ConstructorExits$Sub.<init>(I)V * value #*:java.lang.reflect.InvocationTargetException
// agent: weave=ALL
// count: 3 METHOD_EXCEPTIONAL_EXIT ConstructorExits$Base.<init>(I)V * value #*:java.lang.IllegalStateException
public class ConstructorExits {
    static int check(int x) {
        if (x < 0) throw new IllegalArgumentException("negative " + x);
        return x;
    }
    static class Base {
        Base(int x) { if (x == 7 || x == 8) throw new IllegalStateException("seven " + x); }
    }
    static class Sub extends Base {
        int field;
        Sub(int x) {
            super(check(x));
            field = 1 / (x - 1);
        }
        Sub(String s) { this(Integer.parseInt(s)); }
    }
    static void make(int x) {
        try {
            System.out.println(new Sub(x).field);
        } catch (RuntimeException e) { System.out.println(e + " at " + e.getStackTrace()[0]); }
    }
    public static void main(String[] args) {
        make(-1);
        make(7);
        try { new Sub("8"); } catch (RuntimeException e) { System.out.println(e); }
        try { new Sub("x"); } catch (RuntimeException e) { System.out.println(e); }
        make(1);
        make(3);
        try { // docs/limits.md: the exit that no handler sees has the exception that is seen next
            Sub.class.getDeclaredConstructor(int.class).newInstance(7);
        } catch (ReflectiveOperationException e) { System.out.println(e.getCause()); }
    }
}
