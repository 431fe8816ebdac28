import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Scanner;

/** For every line of its input, after so much work as that says: prints the thresholds of C2, and when C1 counts. */
class Flags {
    static int work(int n) { return n < 2 ? n : work(n - 1) + work(n - 2); }

    public static void main(String[] args) {
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (Scanner in = new Scanner(System.in); in.hasNextLine();) {
            String said = in.nextLine();
            int result = work(said.startsWith("work ") ? Integer.parseInt(said.substring(5)) : 5);
            StringBuilder line = new StringBuilder();
            for (String name : new String[] { "Invocation", "MinInvocation", "Compile", "BackEdge" })
                line.append(vm.getVMOption("Tier4" + name + "Threshold").getValue()).append(' ');
            for (String name : new String[] { "On", "Off" })
                line.append(vm.getVMOption("Tier3Delay" + name).getValue()).append(' ');
            System.out.println(line.append(result));
        }
    }
}
