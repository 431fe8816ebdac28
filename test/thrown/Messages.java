// Messages and causes that are not what Throwable keeps, or not yet when the exception is first seen: prints type,
// getMessage and the type of getCause of each. The last one ends the program.
public class Messages {
    static class Fast extends RuntimeException {
        Fast(String m) { super(m); }
        @Override public synchronized Throwable fillInStackTrace() { return this; }
    }
    static class Numbered extends RuntimeException {
        final int n;
        final boolean odd;
        Numbered(int n) {
            super("another text");
            this.n = n;
            odd = n % 2 == 1;
        }
        @Override public String getMessage() { return "number " + n + (odd ? " is odd" : " is even") + ", " + odd; }
    }
    static class Filled extends Exception {
        private String where;
        Filled(String part) { where = "in " + part; }
        String where() { return where; }
        @Override public String getMessage() { return where(); }
    }
    static class Prefixed extends Filled {
        final long code;
        Prefixed(String part, long code) {
            super(part);
            this.code = code;
        }
        @Override public String getMessage() {
            StringBuilder b = new StringBuilder("E");
            b.append(code / 2).append('-').append(String.valueOf(code));
            return b.append(": ").append(super.getMessage()).toString();
        }
    }
    static class Kept extends Exception {
        Kept(String m) { super(m); }
        @Override public String getMessage() {
            return super.getMessage() == null ? null : "<" + super.getMessage() + ">";
        }
    }
    static class Unknown extends Exception {
        Unknown() { super("the field"); }
        @Override public String getMessage() { return "of " + getClass().getSimpleName().length(); }
    }

    static void say(Throwable e) throws Throwable {
        try {
            throw e;
        } catch (Throwable t) {
            String cause = t.getCause() == null ? "none" : t.getCause().getClass().getName();
            System.out.println(t.getClass().getName() + "\t" + t.getMessage() + "\t" + cause);
        }
    }

    public static void main(String[] args) throws Throwable {
        say(new Fast("seen before its message"));
        say(new Numbered(7));
        say(new Numbered(8));
        say(new Filled("part two"));
        say(new Prefixed("part three", 84L));
        say(new Kept("kept"));
        say(new Kept(null));
        say(new Unknown());
        say(new java.nio.file.NoSuchFileException("a file", null, "a reason"));
        say(new java.net.URISyntaxException("a uri", "a reason", 3));
        say(new java.lang.reflect.InvocationTargetException(new Fast("the target")));
        say(new java.lang.reflect.UndeclaredThrowableException(new Kept("undeclared"), "with a message"));
        say(new ExceptionInInitializerError(new Fast("in an initializer")));
        say(new ClassNotFoundException("a class", new Kept("its cause")));
        say(new java.util.concurrent.ExecutionException("executed", new Fast("the task's")));
        System.out.println("Messages$Fast\tthe last one\tnone");
        throw new Fast("the last one");
    }
}
