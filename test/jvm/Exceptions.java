/**
 * The recorder reads exceptions by itself: overridden getMessage, getCause, toString, fillInStackTrace are never
 * called by it.
 */
// agent: weave=ALL
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_THROW Exceptions.thrower(* value #*:Exceptions$Touchy
// expect: METHOD_EXCEPTIONAL_EXIT Exceptions.thrower(* value #*:Exceptions$Touchy
// expect: CATCH Exceptions.main(* value #*:Exceptions$Touchy
public class Exceptions {
    static class Touchy extends RuntimeException {
        final String set;
        Touchy(String m) { super(m); set = m; }
        @Override public String getMessage() { System.out.println("getMessage asked"); return set.toString(); }
        @Override public synchronized Throwable getCause() { System.out.println("getCause asked"); return null; }
        @Override
        public StackTraceElement[] getStackTrace() {
            System.out.println("getStackTrace asked");
            return new StackTraceElement[0];
        }
        @Override public String toString() { System.out.println("toString asked"); return "touchy"; }
        @Override public int hashCode() { System.out.println("hashCode asked"); return 1; }
        @Override public boolean equals(Object o) { System.out.println("equals asked"); return false; }
    }
    static class Slim extends Exception { Slim() { super("slim", null, false, false); } }
    static class Early extends Error {
        Early() { super(early()); }
        static String early() { throw new Early(1); }
        Early(int x) {}
    }
    static void thrower(int n) { throw new Touchy("touchy " + n); }
    public static void main(String[] args) {
        try { thrower(1); } catch (Touchy e) { System.out.println("caught"); }
        try { throw new Slim(); } catch (Slim e) { System.out.println(e + " " + e.getStackTrace().length); }
        try { new Early(); } catch (Early e) { System.out.println(e.getClass()); }
        Throwable t = new RuntimeException("outer", new Error("inner")); t.addSuppressed(new Exception("beside"));
        try {
            throw (RuntimeException) t;
        } catch (RuntimeException e) { System.out.println(e + " " + e.getCause() + " " + e.getSuppressed()[0]); }
        try { throw null; } catch (NullPointerException e) { System.out.println("throw null"); }
        Object o = finallys();
        System.out.println(o);
    }
    @SuppressWarnings("finally")
    static Object finallys() { try { throw new IllegalStateException(); } finally { return "from finally"; } }
}
