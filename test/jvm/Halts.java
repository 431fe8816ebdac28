/** Runtime.halt: no hooks run, nothing is lost. */
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_PARAM Halts.last(* value 4711
// agent: weave=ALL
public class Halts {
    static int last(int x) { return x; }
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("must not run")));
        System.out.println("halting");
        System.out.flush();
        Runtime.getRuntime().halt(last(4711) % 100);
    }
}
