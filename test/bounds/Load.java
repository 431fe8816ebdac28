import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Load SECONDS THREADS: works for some seconds and makes events all the time; says what its longest rounds took.
 *
 * A round is well below a millisecond of work. `slowest_us` is by the clock. `stalled_us` leaves out what the thread spent ready to
 * run while others had the processors (second number of its schedstat): on a shared machine that is the time of everybody else,
 * while a recorder that makes its program wait, or works in the program's threads, shows in full.
 */
public class Load implements Runnable {
    private static final long WARM_NS = 2_000_000_000L;
    private static final int TELLS_ABOVE_US = 20_000;
    private final long end;
    private long rounds, slowest, stalled, slow;
    private int hash;

    Load(long end) { this.end = end; }

    static int work(int n) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < n; i++) list.add("s" + (i % 50));
        int h = 0;
        for (String s : list) h += s.hashCode();
        return h;
    }

    /** What the kernel tells of this thread: of the agent's groups only CALL sees it. */
    static final class Ready {
        private final RandomAccessFile file;
        private final byte[] text = new byte[128];

        Ready() throws IOException { file = new RandomAccessFile("/proc/thread-self/schedstat", "r"); }

        /** Nanoseconds for which the thread waited for a processor. */
        long ns() throws IOException {
            file.seek(0);
            int n = file.read(text), i = 0;
            while (text[i++] != ' ');
            long ns = 0;
            while (i < n && text[i] >= '0') ns = ns * 10 + text[i++] - '0';
            return ns;
        }
    }

    @Override
    public void run() {
        try {
            Ready ready = new Ready();
            long begin = System.nanoTime(), waited = ready.ns();
            for (long now = begin; now < end; rounds++) {
                for (int i = 0; i < 5; i++) hash += work(200);
                long then = now, before = waited;
                waited = ready.ns();
                now = System.nanoTime();
                long us = (now - then) / 1000, own = us - (waited - before) / 1000;
                if (then - begin < WARM_NS) continue;
                slowest = Math.max(slowest, us);
                stalled = Math.max(stalled, own);
                if (own > TELLS_ABOVE_US) slow++;
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Load[] loads = new Load[Integer.parseInt(args[1])];
        Thread[] threads = new Thread[loads.length];
        for (int i = 0; i < loads.length; i++) (threads[i] = new Thread(loads[i] = new Load(end))).start();
        long rounds = 0, slowest = 0, stalled = 0, slow = 0;
        for (int i = 0; i < loads.length; i++) {
            threads[i].join();
            rounds += loads[i].rounds;
            slowest = Math.max(slowest, loads[i].slowest);
            stalled = Math.max(stalled, loads[i].stalled);
            slow += loads[i].slow;
        }
        System.out.println("rounds " + rounds + " slowest_us " + slowest + " stalled_us " + stalled + " above_20ms " + slow);
    }
}
