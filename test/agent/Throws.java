// Throws, and says for each what a recording with format=exceptions has to hold (thrown.py):
//
//     type|message|method|frame that caught it, or -|variables of the innermost frame, by name
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

public class Throws {
    record Account(String owner, int balance) {}
    record Login(String user, String password) {}
    static final IllegalStateException KEPT = new IllegalStateException("kept");

    static void say(String type, String message, String method, String caught, Object... variables) {
        Map<String, Object> sorted = new TreeMap<>();
        for (int i = 0; i < variables.length; i += 2)
            sorted.put((String) variables[i], variables[i + 1]);
        System.out.println("throw|" + type + "|" + message + "|" + method + "|" + caught + "|" + sorted);
    }

    static void all(boolean z, byte b, char c, short s, int i, long j, float f, double d, String text, Object none) {
        say("java.lang.IllegalStateException", "all", "all", "main", "z", z, "b", b, "c", (int) c, "s", s, "i", i,
            "j", j, "f", f, "d", d, "text", text, "none", none);
        throw new IllegalStateException("all");
    }

    static void own(int n) {
        try {
            throw new RuntimeException("its own frame catches it");
        } catch (RuntimeException e) {
            n++;
        }
    }

    static void inner(int n) {
        say("java.lang.ArithmeticException", "/ by zero", "inner", "middle", "n", n); // a finally block is a handler
        int m = 1 / n;
    }

    static void middle(int n) {
        try {
            inner(n);
        } finally {
            n++; // throws it on
        }
    }

    static void kept(int time) {
        say("java.lang.IllegalStateException", "kept", "kept", "main", "time", time);
        throw KEPT;
    }

    static void deep(int n, int until) {
        if (n == until) {
            say("java.lang.UnsupportedOperationException", "deep", "deep", "main", "n", n, "until", until);
            throw new UnsupportedOperationException("deep");
        }
        deep(n + 1, until);
    }

    static void login(Login login, String dbpassword, Account account) {
        String header = "Bearer " + dbpassword;
        say("java.lang.SecurityException", "(redacted)", "login", "main", "login", "Login", "dbpassword", "(redacted)",
            "account", account, "header", "(redacted)");
        throw new SecurityException("no " + header);
    }

    static void parse(String text) {
        // thrown by code of the JDK, which has no tables of variables
        String message = "For input string: \"" + text + "\"";
        say("java.lang.NumberFormatException", message, "parseInt or forInputString", "main");
        Integer.parseInt(text);
    }

    static void inside(int n) { // its caller gets another exception
        say("java.lang.IllegalStateException", "inside", "inside", "reflection", "n", n);
        say("java.lang.reflect.InvocationTargetException", "null", "invoke", "main");
        throw new IllegalStateException("inside");
    }

    public static void main(String[] args) throws Exception {
        try {
            all(true, (byte) -3, 'x', (short) 400, 7, 1L << 40, 0.1f, -0.0, "a\nb", null);
        } catch (RuntimeException e) { }
        own(1);
        try { middle(0); } catch (RuntimeException e) { }
        for (int i = 0; i < 2; i++)
            try { kept(i); } catch (RuntimeException e) { }
        try { deep(0, 200); } catch (RuntimeException e) { }
        try {
            login(new Login("ann", "swordfish9"), "swordfish9", new Account("ann", 3));
        } catch (RuntimeException e) { }
        try { parse("x12"); } catch (RuntimeException e) { }
        try { Throws.class.getDeclaredMethod("inside", int.class).invoke(null, 4); } catch (Throwable e) { }
        Thread thread = new Thread(() -> {
            String where = "thread";
            say("java.lang.IllegalArgumentException", "uncaught", "lambda", "-", "where", where);
            throw new IllegalArgumentException("uncaught");
        }, "worker");
        thread.setUncaughtExceptionHandler((t, e) -> { });
        thread.start();
        thread.join();
        int many = 0;
        for (int i = 0; i < 20_000; i++)
            try { many(i); } catch (IndexOutOfBoundsException e) { many++; }
        System.out.println("many " + many);
    }

    static void many(int index) { List.of().get(index); }
}
