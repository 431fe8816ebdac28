/** Throws at known moments: set(v) says how far the program had come. */
public class Freezes {
    static class Broken extends RuntimeException {
        Broken(String s) { super(s); }
    }
    static class Worse extends Broken {
        Worse(String s) { super(s); }
    }
    static int x;

    static void set(int v) { x = v; }
    static void fail(int n) {
        if (n == 0)
            throw new Worse("at " + x);
        fail(n - 1);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 10; i++)
            set(i);
        try {
            fail(3); // thrown on by three frames: one snapshot
        } catch (Broken e) {
            set(100);
        }
        for (int i = 10; i < 15; i++)
            set(i);
        try {
            int[] none = new int[1];
            none[x] = 1; // thrown by the JVM
        } catch (ArrayIndexOutOfBoundsException e) {
            set(200);
        }
        try {
            Integer.parseInt("no number"); // thrown by code that is not woven
        } catch (NumberFormatException e) {
            set(250);
        }
        Thread t = new Thread(() -> { set(300); fail(1); set(301); }, "dies");
        t.setUncaughtExceptionHandler((thread, e) -> set(350));
        t.start();
        t.join();
        set(400);
        if (args.length > 0) {
            String[] command = { "kill", "-9", Long.toString(ProcessHandle.current().pid()) };
            try {
                fail(0);
            } catch (Broken e) {
                Runtime.getRuntime().exec(command).waitFor();
                Thread.sleep(10000);
            }
        }
        throw new IllegalStateException("the end");
    }
}
