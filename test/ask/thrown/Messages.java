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
    enum Kind { SMALL, LARGE { } }
    static class Place {
        final int line;
        final String file;
        Place(int line, String file) {
            this.line = line;
            this.file = file;
        }
        int line() { return line; }
        @Override public String toString() { return file + "@" + line; }
    }
    static class Boxed extends Exception {
        final Integer count;
        final Long id;
        final java.math.BigDecimal price = new java.math.BigDecimal("1.50");
        Boxed(Integer count, long id) {
            this.count = count;
            this.id = id;
        }
        @Override public String getMessage() { return "count " + count + " id " + (id.longValue() + 1) + " " + price; }
    }
    static class Real extends Exception {
        final double d;
        final float f;
        final Kind kind;
        Real(double d, float f, Kind kind) {
            this.d = d;
            this.f = f;
            this.kind = kind;
        }
        @Override public String getMessage() {
            return d + " " + f + (d > 1 && f < 1e6f ? " more " : " less ") + kind + kind.name();
        }
    }
    static class Listed extends Exception {
        final String[] parts;
        final Place place;
        Listed(Place place, String... parts) {
            this.place = place;
            this.parts = parts;
        }
        @Override public String getMessage() {
            String all = "line " + place.line() + " of " + place.file + " " + place + ":";
            for (int i = 0; i < parts.length; i++) all += " " + parts[i];
            return all;
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
        say(new Boxed(1000, 5_000_000_000L));
        say(new Boxed(null, -1));
        say(new Real(0.25, 1234.5f, Kind.SMALL));
        say(new Real(-1.1e3, -0.001f, Kind.LARGE));
        say(new Listed(new Place(7, "a"), "x", "y"));
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
