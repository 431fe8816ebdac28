/** Locking is as it was: order, illegal states, exceptions in synchronized code, wait and notify, Thread.holdsLock. */
// agent: weave=SYNC
// expect: MONITOR_ENTER Monitors.main(* value #*:java.lang.Object
// next: MONITOR_ENTER_RESULT Monitors.main(* value #*:java.lang.Object
// next: MONITOR_EXIT Monitors.main(* value #*:java.lang.Object
// expect: MONITOR_ENTER Monitors.on(* value null
// never: METHOD_ENTRY
// agent: weave=EXEC
// expect: METHOD_ENTRY Monitors.sync(* *synchronized=true
// agent: weave=ALL
public class Monitors {
    static final Object LOCK = new Object();
    static int turn;
    synchronized int sync(boolean fail) {
        if (fail) throw new IllegalStateException("in sync");
        return Thread.holdsLock(this) ? 1 : 0;
    }
    static void on(Object o) { synchronized (o) { System.out.println("locked " + Thread.holdsLock(o)); } }
    static void player(int me) {
        for (int i = 0; i < 200; i++)
            synchronized (LOCK) {
                while (turn % 2 != me) {
                    try { LOCK.wait(); } catch (InterruptedException e) { throw new AssertionError(e); }
                }
                turn++;
                LOCK.notifyAll();
            }
    }
    public static void main(String[] args) throws Exception {
        synchronized (LOCK) { System.out.println(Thread.holdsLock(LOCK)); }
        Monitors m = new Monitors();
        System.out.println(m.sync(false));
        try { m.sync(true); } catch (IllegalStateException e) { System.out.println(e + " " + Thread.holdsLock(m)); }
        try { on(null); } catch (NullPointerException e) { System.out.println("null lock"); }
        on("text");
        try { LOCK.notify(); } catch (IllegalMonitorStateException e) { System.out.println(e); }
        try {
            synchronized (LOCK) {
                synchronized (m) { throw new RuntimeException("nested"); }
            }
        } catch (RuntimeException e) { System.out.println(e + " " + Thread.holdsLock(LOCK) + Thread.holdsLock(m)); }
        Thread a = new Thread(() -> player(0)), b = new Thread(() -> player(1));
        a.start(); b.start(); a.join(); b.join();
        System.out.println(turn);
    }
}
