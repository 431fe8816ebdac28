import java.util.Arrays;

/**
 * What one event costs where it happens. Three copies of the same code in one run: class None has no hooks, class Woven
 * is woven by the agent, class Jni calls a native method by hand where the agent puts its hooks. bench.sh runs this
 * with weave=EXEC+CALL+PARAM and excludes all but Woven, so that a call of `step(x)` or `fib(n)` is six events: CALL,
 * CALL_PARAM, METHOD_ENTRY, METHOD_PARAM, METHOD_NORMAL_EXIT, CALL_RETURN.
 *
 * burst: 20,000 calls at a time with pauses, so that the buffers never fill: the hook itself. sustained: no pauses; the
 * recorder must also encode and store every event, on the other core as long as there is one.
 * Prints one JSON object per shape: ns per call for each copy, medians over REPEATS, and ns per event.
 */
public class HookCost {
    static final int EVENTS = 6, REPEATS = 15, BURST = 20_000;

    static final class None {
        static int step(int x) { return x * 31 + 7; }
        static int loop(int n, int x) { for (int i = 0; i < n; i++) x = step(x); return x; }
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    }

    static final class Woven {
        static int step(int x) { return x * 31 + 7; }
        static int loop(int n, int x) { for (int i = 0; i < n; i++) x = step(x); return x; }
        static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    }

    static final class Jni {
        static native void hook(long value, int id);
        static int step(int x) { hook(0, 1); hook(x, 2); int r = x * 31 + 7; hook(r, 3); return r; }
        static int loop(int n, int x) {
            for (int i = 0; i < n; i++) { hook(0, 4); hook(x, 5); x = step(x); hook(x, 6); }
            return x;
        }
        static int fib(int n) {
            hook(0, 1);
            hook(n, 2);
            int r = n;
            if (n >= 2) {
                hook(0, 4); hook(n - 1, 5);
                int a = fib(n - 1);
                hook(a, 6);
                hook(0, 4); hook(n - 2, 5);
                int b = fib(n - 2);
                hook(b, 6);
                r = a + b;
            }
            hook(r, 3);
            return r;
        }
    }

    interface Body { int run(); }
    static int sink;

    /**
     * ns per call: the time of `bursts` runs of the body, each of `calls` calls, with a pause before each if wanted.
     */
    static double once(Body body, int bursts, int calls, boolean pause) throws Exception {
        long total = 0;
        for (int b = 0; b < bursts; b++) {
            if (pause) Thread.sleep(4);
            long t = System.nanoTime();
            sink += body.run();
            total += System.nanoTime() - t;
        }
        return (double) total / ((long) bursts * calls);
    }

    static void measure(String shape, boolean pause, int calls, Body none, Body woven, Body jni) throws Exception {
        Body[] bodies = {none, woven, jni};
        double[][] ns = new double[3][REPEATS];
        for (int r = -5; r < REPEATS; r++) // interleaved, five rounds to warm up
            for (int k = 0; k < 3; k++) {
                double t = once(bodies[k], 20, calls, pause);
                if (r >= 0) ns[k][r] = t;
            }
        double[] m = new double[3], low = new double[3], high = new double[3];
        for (int k = 0; k < 3; k++) {
            Arrays.sort(ns[k]);
            m[k] = ns[k][REPEATS / 2];
            low[k] = ns[k][0];
            high[k] = ns[k][REPEATS - 1];
        }
        System.out.printf(
            "{\"bench\":\"hook\",\"shape\":\"%s\",\"mode\":\"%s\","
                + "\"none_ns_per_call\":%.3f,\"woven_ns_per_call\":%.3f,\"jni_ns_per_call\":%.3f,"
                + "\"spread\":{\"none\":[%.3f,%.3f],\"woven\":[%.3f,%.3f],\"jni\":[%.3f,%.3f]},"
                + "\"events_per_call\":%d,\"hook_ns\":%.3f,\"jni_ns\":%.3f,\"ratio\":%.3f}%n",
            shape, pause ? "burst" : "sustained", m[0], m[1], m[2], low[0], high[0], low[1], high[1], low[2], high[2],
            EVENTS, (m[1] - m[0]) / EVENTS, (m[2] - m[0]) / EVENTS, (m[1] - m[0]) / (m[2] - m[0]));
    }

    static int fibCalls(int n) { return n < 2 ? 1 : 1 + fibCalls(n - 1) + fibCalls(n - 2); }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        int n = 19, calls = fibCalls(n);
        for (boolean pause : new boolean[] {true, false}) {
            measure(
                "loop", pause, BURST, () -> None.loop(BURST, 1), () -> Woven.loop(BURST, 1), () -> Jni.loop(BURST, 1));
            measure("recursive", pause, calls, () -> None.fib(n), () -> Woven.fib(n), () -> Jni.fib(n));
        }
        if (sink == 42) System.out.println();
    }
}
