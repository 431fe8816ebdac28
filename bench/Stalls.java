import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stalls SECONDS THREADS: works for some seconds and makes events all the time; says what its longest rounds took.
 *
 * A round is below a millisecond of work. `slowest_us` is by the clock. `stalled_us` leaves out what the thread, or
 * those it may have to wait for (the VM's own, the recorder's, the other workers at a safepoint), spent ready to run
 * while others had the processors: the second number of schedstat. On a shared machine that is the time of everybody
 * else; a recorder that waits for a disk or a lock, or works for long in the program's thread, shows in full.
 */
public class Stalls implements Runnable {
    private static final long WARM_NS = 2_000_000_000L;
    private static final int TELLS_ABOVE_US = 20_000;
    private final long end;
    private long rounds, slowest, stalled, slow;
    private int hash;

    Stalls(long end) { this.end = end; }

    static int work(int n) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < n; i++) list.add("s" + (i % 50));
        int h = 0;
        for (String s : list) h += s.hashCode();
        return h;
    }

    /**
     * What the kernel reports of the threads that this one may wait for. Not to be woven: a stall in here would count
     * for the next round.
     */
    static final class Ready {
        private final List<RandomAccessFile> files = new ArrayList<>();
        private final byte[] text = new byte[128];
        private final long[] last;

        Ready() throws IOException {
            for (File task : new File("/proc/self/task").listFiles()) {
                String name = Files.readString(Path.of(task.getPath(), "comm"));
                if (name.startsWith("load-") || name.startsWith("VM Thread") || name.startsWith("hindsight-drain"))
                    files.add(new RandomAccessFile(new File(task, "schedstat"), "r"));
            }
            last = new long[files.size()];
        }

        /** Nanoseconds for which they waited for a processor. */
        long ns() {
            long sum = 0;
            for (int f = 0; f < last.length; f++) {
                try {
                    files.get(f).seek(0);
                    int n = files.get(f).read(text), i = 0;
                    while (text[i++] != ' ');
                    long ns = 0;
                    while (i < n && text[i] >= '0') ns = ns * 10 + text[i++] - '0';
                    last[f] = ns;
                } catch (IOException e) {
                    // the thread has ended: what it had, it keeps
                }
                sum += last[f];
            }
            return sum;
        }
    }

    @Override
    public void run() {
        try {
            long begin = System.nanoTime(), waited = 0;
            Ready ready = null;
            for (long now = begin; now < end; rounds++) {
                for (int i = 0; i < 5; i++) hash += work(200);
                if (ready == null) {
                    if (now - begin > WARM_NS) {
                        ready = new Ready();
                        waited = ready.ns();
                    }
                    now = System.nanoTime();
                    continue;
                }
                long then = now, before = waited;
                waited = ready.ns();
                now = System.nanoTime();
                long us = (now - then) / 1000, own = us - (waited - before) / 1000;
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
        Stalls[] loads = new Stalls[Integer.parseInt(args[1])];
        Thread[] threads = new Thread[loads.length];
        for (int i = 0; i < loads.length; i++)
            (threads[i] = new Thread(loads[i] = new Stalls(end), "load-" + i)).start();
        long rounds = 0, slowest = 0, stalled = 0, slow = 0;
        for (int i = 0; i < loads.length; i++) {
            threads[i].join();
            rounds += loads[i].rounds;
            slowest = Math.max(slowest, loads[i].slowest);
            stalled = Math.max(stalled, loads[i].stalled);
            slow += loads[i].slow;
        }
        System.out.println(
            "rounds " + rounds + " slowest_us " + slowest + " stalled_us " + stalled + " above_20ms " + slow);
    }
}
