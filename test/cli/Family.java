import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * Family NAME [CHILD-ARGUMENT...]: calls itself a few times; with more arguments starts a JVM with them and waits for
 * its end.
 */
public class Family {
    static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }

    public static void main(String[] args) throws Exception {
        System.out.println(args[0] + " " + f(10));
        if (args.length > 1) {
            List<String> line = new ArrayList<>();
            line.add(System.getProperty("java.home") + "/bin/java");
            line.addAll(List.of(args).subList(1, args.length));
            Process p = new ProcessBuilder(line).redirectErrorStream(false).inheritIO().start();
            System.out.println(args[0] + "'s child ended with " + p.waitFor());
        }
        if (new File(args[0] + ".wait").exists()) {
            new File(args[0] + ".here").createNewFile();
            while (new File(args[0] + ".wait").exists())
                Thread.sleep(20);
        }
    }
}
