/** Classes and interfaces are initialised when and in the order they were, also when their initialisers fail. */
// agent: weave=ALL
// agent: weave=EXEC+CALL+PARAM
// agent: weave=FIELD
// expect: PUT_STATIC_FIELD InitializationOrder.say(
public class InitializationOrder {
    static int count;
    static int say(String s) { System.out.println(++count + " " + s); return count; }
    interface Quiet { int CONSTANT = 7; int Q = say("Quiet"); }
    interface Loud { int L = say("Loud"); default void f() { } }
    static class Base implements Loud { static int b = say("Base"); }
    static class Derived extends Base implements Quiet {
        static int d = say("Derived");
        static final String S = "compile time";
        static void touch() { say("touch"); }
    }
    static class Bad {
        static int x = fail();
        static int fail() {
            say("Bad");
            throw new IllegalStateException("bad");
        }
    }
    static class Never { static { say("Never"); } static int field; }
    static class A { static { say("A begins"); System.out.println("B.v " + B.v); say("A ends"); } static int v = 1; }
    static class B { static { say("B begins"); System.out.println("A.v " + A.v); } static int v = 2; }
    static class Lazy { static { say("Lazy"); } static Object make() { return new Object[0]; } }
    public static void main(String[] args) throws Exception {
        say("main");
        System.out.println(Derived.S + Quiet.CONSTANT);
        Object none = new Never[3];
        Class<?> literal = Never.class;
        System.out.println(none.getClass().getName() + literal.getName() + (none instanceof Never));
        Derived.touch();
        System.out.println(Derived.Q);
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Bad.x);
            } catch (Throwable t) {
                System.out.println(t + " / " + (i == 0 ? t.getCause() : ""));
            }
        }
        System.out.println(A.v);
        java.util.function.Supplier<Object> s = Lazy::make;
        say("supplier");
        s.get();
        Class.forName("InitializationOrder$Never", false, InitializationOrder.class.getClassLoader());
        say("end");
    }
}
