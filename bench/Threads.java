import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;

/**
 * Threads THREADS SECONDS: threads that each book orders of their own; prints a JSON object with rounds a second of
 * all, by the clock and by processor time of the whole process (what else runs on the machine does not change that).
 */
public class Threads implements Runnable {
    private static final long WARM_NS = 2_000_000_000L;

    record Order(String item, int count) { }

    private final Map<String, Integer> stock = new HashMap<>();
    private final CyclicBarrier begin;
    private final long measured;
    private long rounds, sum;

    Threads(CyclicBarrier begin, long measured) {
        this.begin = begin;
        this.measured = measured;
    }

    private int price(Order order) { return order.count() * (order.item().length() + 3); }

    private void round(int n) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            orders.add(new Order("item-" + (n + i) % 31, i));
        for (Order order : orders) {
            stock.merge(order.item(), order.count(), Integer::sum);
            sum += price(order);
        }
        try {
            if (n % 64 == 0)
                throw new IllegalStateException("no stock of " + n);
        } catch (IllegalStateException e) {
            sum++;
        }
    }

    @Override public void run() {
        try {
            int n = 0;
            for (long end = System.nanoTime() + WARM_NS; System.nanoTime() < end; n++)
                round(n);
            begin.await();
            for (long end = System.nanoTime() + measured; System.nanoTime() < end; rounds++)
                round(n++);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static long processor_ns() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        long measured = Long.parseLong(args[1]) * 1_000_000_000L, rounds = 0;
        CyclicBarrier begin = new CyclicBarrier(count + 1);
        Threads[] all = new Threads[count];
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++)
            (threads[i] = new Thread(all[i] = new Threads(begin, measured))).start();
        begin.await();
        long clock = System.nanoTime(), processor = processor_ns();
        for (Thread t : threads)
            t.join();
        double seconds = (System.nanoTime() - clock) / 1e9, cpu = (processor_ns() - processor) / 1e9;
        for (Threads t : all)
            rounds += t.rounds;
        System.out.printf("{\"rounds_per_s\":%.0f,\"rounds_per_cpu_s\":%.0f}%n", rounds / seconds, rounds / cpu);
    }
}
