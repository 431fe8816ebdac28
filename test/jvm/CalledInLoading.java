/**
 * A security manager that is woven: the JVM calls it when it loads a class, between any two instructions. It is asked
 * for the same as without the agent.
 */
// agent: weave=ALL,derive=on | -Djava.security.manager=allow | ..23
// agent: weave=ALL,derive=on
// expect: METHOD_ENTRY CalledInLoading.literal(
// never: METHOD_EXCEPTIONAL_EXIT CalledInLoading.literal(
public class CalledInLoading {
    static class A { }
    static class B { }
    static class C { }
    static class D { }
    static class E { }
    @SuppressWarnings("removal")
    static class Asked extends SecurityManager {
        static String names = "";
        @Override public void checkPermission(java.security.Permission p) { names += p.getName() + ' '; }
        @Override public void checkPackageAccess(String name) { names += name + ' '; }
    }
    static int literal(int k) { int t = k; t += 3; Class<?> c = A.class; t++; return c == null ? 0 : t; }
    static int instance(Object o, int k) { int t = k; t += 3; boolean b = o instanceof B; t++; return b ? t : 1; }
    static int array(int k) { int t = k; t += 3; Object b = new C[t]; t++; return b == null ? 0 : t; }
    static int arrays(int k) { int t = k; t += 3; Object b = new D[t][2]; t++; return b == null ? 0 : t; }
    static int cast(Object o, int k) { int t = k; t += 3; E e = (E) o; t++; return e == null ? t : 0; }
    @SuppressWarnings("removal")
    public static void main(String[] args) {
        try {
            System.setSecurityManager(new Asked());
        } catch (UnsupportedOperationException e) { System.err.println("no security manager"); }
        System.out.println(literal(1) + instance("", 2) + array(3) + arrays(4) + cast(null, 5));
        new Thread("unused");
        System.out.println(Asked.names);
    }
}
