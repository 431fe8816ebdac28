import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Scanner;

/** Prints the thresholds of C2 for every line of its input. */
class Flags {
    static int work(int n) { return n < 2 ? n : work(n - 1) + work(n - 2); }

    public static void main(String[] args) {
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (Scanner in = new Scanner(System.in); in.hasNextLine();) {
            in.nextLine();
            StringBuilder line = new StringBuilder();
            for (String name : new String[] { "Invocation", "MinInvocation", "Compile", "BackEdge" })
                line.append(vm.getVMOption("Tier4" + name + "Threshold").getValue()).append(' ');
            System.out.println(line.append(work(5)));
        }
    }
}
