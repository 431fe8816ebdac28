import java.util.Set;
import java.util.TreeSet;

/**
 * No frame of a hook is in a stack trace where a hook was running: of a StackOverflowError at many depths, so that it
 * also comes inside a hook, and of a thread that another one looks at.
 */
// agent: weave=ALL
// agent: weave=EXEC+CALL+PARAM
// print: --method main
// never: METHOD_EXCEPTIONAL_EXIT HookFrames.main(
public class HookFrames {
    static final Set<String> found = new TreeSet<>();
    static volatile boolean stop;
    int field;
    final int[] array = new int[3];

    static void look(StackTraceElement[] trace) {
        for (StackTraceElement e : trace)
            if (e.getClassName().contains("indsight")) found.add(e.toString());
    }

    int down(int n, Object x, long y) {
        field = n;
        array[1] = n;
        Object o = n % 2 == 0 ? x : array;
        return down(n + 1, o, y + 1) + array[1];
    }

    static int pad(int n, HookFrames f) { return n == 0 ? f.down(0, f, 1) : pad(n - 1, f) + 1; }

    static int overflows;
    static void overflow() {
        for (int i = 0; i < 40; i++)
            try {
                pad(i % 37, new HookFrames());
            } catch (StackOverflowError e) {
                overflows++;
                look(e.getStackTrace());
            }
    }

    void work() {
        while (!stop) { field++; array[0] = field; Object o = new Object(); synchronized (o) { array[2]++; } }
    }

    public static void main(String[] args) throws Exception {
        Thread small = new Thread(null, HookFrames::overflow, "small", 300 << 10);
        small.start();
        small.join();
        Thread worker = new Thread(() -> new HookFrames().work());
        worker.start();
        for (int i = 0; i < 500; i++) {
            look(worker.getStackTrace());
            look(Thread.getAllStackTraces().get(worker));
        }
        stop = true;
        worker.join();
        System.out.println(overflows + " overflows, " + found.size() + " frames of hooks " + found);
    }
}
