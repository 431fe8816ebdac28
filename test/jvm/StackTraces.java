import java.util.stream.Collectors;

/**
 * No frame of ours appears, every line is as it was: printed traces, StackWalker, Thread.getStackTrace, suppressed,
 * lambdas.
 */
// agent: weave=ALL
// agent: weave=EXEC
// agent: weave=LINE
public class StackTraces {
    static class Res implements AutoCloseable {
        public void close() { throw new UnsupportedOperationException("close"); }
    }
    static int deep(int n, Runnable r) {
        if (n == 0) { r.run(); return 0; }
        return
            1
            + deep(n - 1,
                   r);
    }
    static String frames() {
        return StackWalker.getInstance(StackWalker.Option.SHOW_REFLECT_FRAMES)
            .walk(s -> s.map(f -> f.getMethodName() + ":" + f.getLineNumber()).collect(Collectors.joining(" ")));
    }
    static void trace(Throwable t) {
        System.out.println(t);
        for (StackTraceElement e : t.getStackTrace())
            if (e.getClassName().startsWith("StackTraces")) System.out.println("   " + e);
        for (Throwable s : t.getSuppressed()) trace(s);
        if (t.getCause() != null) trace(t.getCause());
    }
    static class Thrower {
        Thrower(int a) { this(a, 1 / a); }
        Thrower(int a, int b) { throw new IllegalArgumentException("b" + b); }
    }
    public static void main(String[] args) throws Exception {
        deep(5, () -> System.out.println(frames()));
        deep(2, () -> trace(new Throwable("made here")));
        try (Res r = new Res()) { Object o = args; String s = (String) o; } catch (Exception e) { trace(e); }
        try { int[] a = new int[args.length]; a[3] = 5; } catch (Exception e) { trace(e); }
        try { Object s = null; s.
            toString(); } catch (Exception e) { trace(e); }
        for (int i = 0; i < 2; i++) try { new Thrower(i); } catch (Exception e) { trace(new RuntimeException(e)); }
        int n = 0;
        for (StackTraceElement e : Thread.currentThread().getStackTrace())
            if (e.getClassName().equals("StackTraces")) System.out.println(++n + " " + e);
        try {
            StackTraces.class.getDeclaredMethod("deep", int.class, Runnable.class).invoke(null, 1, (Runnable) () -> {
                throw new IllegalStateException("reflected");
            });
        } catch (java.lang.reflect.InvocationTargetException e) { trace(e.getCause()); }
    }
}
