/** System.exit deep inside, while other threads log at full speed. */
// print: --method leave
// agent: weave=ALL
// agent: weave=EXEC
// expect: METHOD_ENTRY ExitInside.leave(
// never: METHOD_NORMAL_EXIT ExitInside.leave(
public class ExitInside {
    static int work(int x) { return x * 7 + 1; }
    static void leave() { System.out.println("leaving"); System.exit(23); }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> {
                int x = 0;
                for (long n = 1;; n++) {
                    x = work(x);
                    if (n % 20000 == 0) java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
                }
            });
            t.setDaemon(true);
            t.start();
        }
        Thread.sleep(50);
        try { leave(); } finally { System.out.println("never"); }
    }
}
