/** With a debugger's agent loaded beside us. */
// checkjni: no  (the debugger's agent itself makes it warn)
// jvm: -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0
// agent: weave=ALL
// agent: weave=EXEC
// expect: METHOD_NORMAL_EXIT Debugged.f(* value 12
public class Debugged {
    static int f(int x) { return x * x + 3; }
    public static void main(String[] args) { System.out.println(f(3)); }
}
