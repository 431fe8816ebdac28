import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A numeric loop in main; prints its rounds per CPU second every 200 ms. It ends after ARG such lines, of which it
 * counts only those behind a line of its input, if there is a second argument.
 */
public class Loop {
    static final int[] numbers = new int[1024];
    int sum;

    static int step(int i) { return i * 31 + 7; }

    public static void main(String[] args) throws java.io.IOException {
        Loop loop = new Loop();
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long cpu = clock.getCurrentThreadCpuTime();
        long now = System.nanoTime(), next = now + 200_000_000L;
        int rounds = 0, x = 1;
        boolean told = args.length < 2;
        for (int left = Integer.parseInt(args[0]); left > 0;) {
            for (int i = 0; i < numbers.length; i++) {
                x = step(x) ^ numbers[i];
                numbers[i] = x >> 3;
                loop.sum += x;
            }
            rounds++;
            now = System.nanoTime();
            if (now > next) {
                long spent = clock.getCurrentThreadCpuTime() - cpu;
                System.out.println(rounds * 1_000_000_000L / Math.max(spent, 1));
                cpu += spent;
                rounds = 0;
                if (told) left--;
                else told = System.in.available() > 0;
                next = now + 200_000_000L;
            }
        }
    }
}
