/**
 * The stack ends at many depths in methods with synchronized blocks, also inside the hooks of the code that unlocks
 * them after an exception: the program goes on, and the locks are free.
 */
// agent: weave=ALL
// agent: weave=ALL | -Xint
// print: --method main
// never: METHOD_EXCEPTIONAL_EXIT StackOverflowLocked.main(
public class StackOverflowLocked {
    int field;
    final int[] array = new int[3];
    Object last;
    static final Object shared = new Object();

    int down(int n, Object x, long y) {
        field = n;
        array[1] = n;
        last = x;
        String s = "v";
        Object o = n % 2 == 0 ? this : s;
        synchronized (o) { field++; synchronized (shared) { array[2] = field; } }
        return down(n + 1, o, y + 1) + array[1];
    }

    static int pad(int n, StackOverflowLocked f) { return n == 0 ? f.down(0, f, 1) : pad(n - 1, f) + 1; }

    static int overflows, held;
    static void overflow() {
        for (int i = 0; i < 60; i++) {
            StackOverflowLocked f = new StackOverflowLocked();
            try { pad(i % 37, f); } catch (StackOverflowError e) { overflows++; }
            if (Thread.holdsLock(f) || Thread.holdsLock(shared) || Thread.holdsLock("v")) held++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread small = new Thread(null, StackOverflowLocked::overflow, "small", 300 << 10);
        small.start();
        small.join();
        System.out.println(overflows + " overflows, " + held + " locks held");
    }
}
