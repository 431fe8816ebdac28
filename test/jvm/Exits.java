/**
 * Every way a program ends keeps its exit status and output: here an uncaught exception, with daemons and hooks
 * running.
 */
// agent: weave=ALL
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_EXCEPTIONAL_EXIT Exits.main(* value #*:java.lang.IllegalStateException
// expect: METHOD_ENTRY Exits.hook(
public class Exits {
    static volatile long spins;
    static void hook() { System.out.println("hook"); }
    static void spin() { while (true) spins++; }
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> hook()));
        Thread d = new Thread(Exits::sleeper); d.setDaemon(true); d.start();
        Thread u = new Thread(() -> { throw new UnsupportedOperationException("in a thread"); });
        u.setUncaughtExceptionHandler((t, e) -> System.out.println("handled " + e));
        u.start(); u.join();
        throw new IllegalStateException("uncaught");
    }
    static void sleeper() { try { while (true) { Thread.sleep(1); spins++; } } catch (InterruptedException e) { } }
}
