import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** A numeric loop in main that does not return for ARG seconds; prints its rounds per CPU second every 200 ms. */
public class Loop {
    static final int[] numbers = new int[1024];
    int sum;

    static int step(int i) { return i * 31 + 7; }

    public static void main(String[] args) {
        Loop loop = new Loop();
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long cpu = clock.getCurrentThreadCpuTime();
        long now = System.nanoTime(), end = now + Long.parseLong(args[0]) * 1_000_000_000L, next = now + 200_000_000L;
        int rounds = 0, x = 1;
        while (now < end) {
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
                next = now + 200_000_000L;
            }
        }
    }
}
