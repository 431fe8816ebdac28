import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * The stack ends at many depths in methods whose handlers cover themselves, or each other, also inside the hooks at
 * their begin: the program goes on. What the first ones count, the hook of a finally block may keep from it.
 */
// labels: slow
// classes: lib/Assembler.java
// agent: weave=ALL
// agent: weave=ALL | -Xint
// agent: weave=LABEL
// print: --method main
// never: METHOD_EXCEPTIONAL_EXIT StackOverflowHandlers.main(
public class StackOverflowHandlers {
    static int returned(int n, int[] c) {
        try { return returned(n + 1, c) + 1; } catch (ArithmeticException e) { return 1; } finally { c[0]++; }
    }
    static int nested(int n, int[] c) {
        int[] own = { n };
        try {
            try { return nested(n + 1, c) + own[0]; } finally { c[0] += own[0]; own = null; }
        } catch (IllegalStateException e) {
            return 2;
        } finally {
            if (n % 3 == 0) c[0]++;
        }
    }
    static int locked(int n, int[] c) {
        try { synchronized (c) { c[0]++; return locked(n + 1, c) + 1; } } finally { c[0]--; }
    }
    /** Each call tries again once, but not those in it. */
    static int again(int n, int[] c) {
        for (int i = 0;; i++)
            try { return c[0] == 0 ? again(n + 1, c) + 1 : 1; } catch (Throwable t) { c[0] = 1; if (i == 1) throw t; }
    }
    /** Handlers that javac does not write. */
    static byte[] strange() {
        Assembler a = new Assembler(49, "Strange");
        int whole = a.method("Strange", "whole", "(I)I"), each = a.method("Strange", "each", "(I)I");
        Assembler.Bytes c = new Assembler.Bytes();
        // 0 iload_0, iconst_1, iadd, invokestatic whole, ireturn; 7 astore_1, aload_1, athrow
        c.u1(0x1a, 0x04, 0x60, 0xb8).u2(whole).u1(0xac, 0x4c, 0x2b, 0xbf);
        a.add(9, "whole", "(I)I", 2, 2, c.get(), 0, 9, 7, 0);
        c = new Assembler.Bytes();
        // 0 iload_0, iconst_1, iadd, invokestatic each, ireturn; 7 astore_1, goto 15; 11 astore_1, goto 15;
        // 15 aload_1, athrow
        c.u1(0x1a, 0x04, 0x60, 0xb8).u2(each).u1(0xac).u1(0x4c, 0xa7, 0, 7).u1(0x4c, 0xa7, 0, 3).u1(0x2b, 0xbf);
        a.add(9, "each", "(I)I", 2, 2, c.get(), 0, 7, 7, 0, 7, 11, 11, 0, 11, 15, 7, 0);
        return a.finish();
    }
    interface Deep { void run() throws Throwable; }
    static int pad(int n, Deep d) throws Throwable {
        if (n == 0) d.run(); else return pad(n - 1, d) + 1;
        return 0;
    }
    static void overflow(String name, Deep d) {
        int caught = 0;
        for (int i = 0; i < 24; i++)
            try { pad(i % 12, d); } catch (StackOverflowError e) { caught++; } catch (Throwable t) {
                if (t instanceof InvocationTargetException && t.getCause() instanceof StackOverflowError) caught++;
                else System.out.println(t);
            }
        System.out.println(name + " " + (caught > 0));
    }
    public static void main(String[] args) throws Exception {
        Class<?> strange = Assembler.load("Strange", strange());
        Method whole = strange.getMethod("whole", int.class), each = strange.getMethod("each", int.class);
        Thread t = new Thread(null, () -> {
            overflow("returned", () -> returned(0, new int[1]));
            overflow("nested", () -> nested(0, new int[1]));
            overflow("locked", () -> locked(0, new int[1]));
            overflow("again", () -> again(0, new int[1]));
            overflow("whole", () -> whole.invoke(null, 0));
            overflow("each", () -> each.invoke(null, 0));
        }, "small", 300 << 10);
        t.start();
        t.join();
    }
}
