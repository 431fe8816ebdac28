import java.io.PrintWriter;
import java.io.StringWriter;

/** The first exception of the run is at the end of the stack: what the JDK initializes for stack traces works later. */
// agent: weave=EXEC
// agent: weave=ALL
// expect: METHOD_EXCEPTIONAL_EXIT StackOverflowFirst$Bad.<clinit>(
public class StackOverflowFirst {
    static class Bad { static int v = Integer.parseInt("zz"); }
    static int down(int n) { return down(n + 1) + 1; }
    public static void main(String[] args) {
        try { down(0); } catch (StackOverflowError e) { System.out.println("caught"); }
        for (int i = 0; i < 2; i++)
            try { System.out.println(Bad.v); } catch (LinkageError e) { System.out.println(e); }
        StringWriter text = new StringWriter();
        new Exception("later").printStackTrace(new PrintWriter(text));
        System.out.println(text.toString().contains("StackOverflowFirst.main"));
    }
}
