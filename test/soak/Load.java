import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Load.java SECONDS CLIENTS NAME:PORT:PID... - asks the servers in turns of half a second, so that all see the same
 * machine, by clients that keep their connections. Prints a JSON object for each server: requests, failed ones,
 * percentiles of their times, and the mean memory of its process that no file has (RssAnon) in each third of its turns,
 * after the first quarter of the time, in which it warms up.
 */
public class Load {
    /** Times in steps of a 32nd of their magnitude. */
    static final class Histogram {
        final long[] counts = new long[64 * 32];

        synchronized void add(long ns) {
            int bits = 63 - Long.numberOfLeadingZeros(ns | 32);
            counts[bits * 32 + (int) (ns >> (bits - 5) & 31)]++;
        }

        long percentile(double part) {
            long all = 0, seen = 0;
            for (long c : counts)
                all += c;
            for (int i = 0; i < counts.length; i++) {
                seen += counts[i];
                if (seen >= all * part && seen > 0)
                    return 32L + i % 32 << i / 32 - 5;
            }
            return 0;
        }
    }

    static final class Target {
        final String name;
        final int port;
        final Path status;
        final Histogram times = new Histogram();
        final AtomicLong requests = new AtomicLong(), failed = new AtomicLong();
        final long[] memory = new long[3], samples = new long[3];

        Target(String word) {
            String[] parts = word.split(":");
            name = parts[0];
            port = Integer.parseInt(parts[1]);
            status = Path.of("/proc", parts[2], "status");
        }

        void sample(int third) throws IOException {
            for (String line : Files.readAllLines(status))
                if (line.startsWith("RssAnon:"))
                    memory[third] += Long.parseLong(line.replaceAll("[^0-9]", ""));
            samples[third]++;
        }
    }

    /** A connection to a server; it is made again when it has failed. */
    static final class Client {
        final Target target;
        Socket socket;
        BufferedInputStream in;

        Client(Target target) { this.target = target; }

        private String line() throws IOException {
            StringBuilder text = new StringBuilder();
            for (int c; (c = in.read()) != '\n';)
                if (c < 0)
                    throw new IOException("the server has closed the connection");
                else if (c != '\r')
                    text.append((char) c);
            return text.toString();
        }

        private String body() throws IOException {
            int size = -1;
            String status = line();
            for (String head; !(head = line()).isEmpty();)
                if (head.regionMatches(true, 0, "Content-Length: ", 0, 16))
                    size = Integer.parseInt(head.substring(16));
            if (!status.startsWith("HTTP/1.1 200") || size < 0)
                throw new IOException(status + ", length " + size);
            return new String(in.readNBytes(size), StandardCharsets.US_ASCII);
        }

        void ask(int n) {
            try {
                if (socket == null) {
                    socket = new Socket("127.0.0.1", target.port);
                    socket.setTcpNoDelay(true);
                    socket.setSoTimeout(60_000);
                    in = new BufferedInputStream(socket.getInputStream());
                }
                long begin = System.nanoTime();
                socket.getOutputStream().write(("GET /order?n=" + n + " HTTP/1.1\r\nHost: shop\r\n\r\n").getBytes());
                String answer = body();
                target.times.add(System.nanoTime() - begin);
                if (!answer.equals(n + " " + total(n)))
                    throw new IOException("a wrong answer: " + answer);
            } catch (IOException e) {
                target.failed.incrementAndGet();
                System.err.println(target.name + ": " + e);
                socket = null;
            }
            target.requests.incrementAndGet();
        }
    }

    static int total(int n) {
        int total = 0;
        for (int i = 0; i < 20; i++)
            total += (n + i) % 97 % 50 == 0 ? 1 : (n + i) % 97;
        return total;
    }

    static volatile int turn;
    static volatile boolean done;

    public static void main(String[] args) throws Exception {
        long seconds = Long.parseLong(args[0]), turn_ns = 500_000_000L;
        int clients = Integer.parseInt(args[1]);
        Target[] targets = new Target[args.length - 2];
        for (int i = 0; i < targets.length; i++)
            targets[i] = new Target(args[i + 2]);
        CyclicBarrier barrier = new CyclicBarrier(clients + 1); // all ask the same server
        Thread[] threads = new Thread[clients];
        for (int c = 0; c < clients; c++) {
            int first = c * 1_000_003;
            (threads[c] = new Thread(() -> {
                Client[] all = new Client[targets.length];
                for (int i = 0; i < all.length; i++)
                    all[i] = new Client(targets[i]);
                try {
                    for (int n = first;; ) {
                        barrier.await(); // a turn begins
                        if (done)
                            return;
                        Client now = all[turn % all.length];
                        for (long end = System.nanoTime() + turn_ns; System.nanoTime() < end; n++)
                            now.ask(n & 0xffffff);
                        barrier.await(); // it is over for all
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            })).start();
        }
        long begin = System.nanoTime(), quarter = seconds * 1_000_000_000L / 4;
        for (boolean warm = false;; turn++) { // it and `done` change between turns
            long now = System.nanoTime() - begin;
            Target target = targets[turn % targets.length];
            if (now >= quarter && !warm && turn % targets.length == 0) {
                warm = true;
                for (Target t : targets)
                    Arrays.fill(t.times.counts, 0);
            }
            done = now >= 4 * quarter && turn % targets.length == 0;
            barrier.await();
            if (done)
                break;
            barrier.await();
            if (warm)
                target.sample((int) Math.min(2, (now - quarter) / quarter));
        }
        for (Thread t : threads)
            t.join();
        for (Target t : targets)
            System.out.printf("{\"server\":\"%s\",\"requests\":%d,\"failed\":%d,\"p50_us\":%d,\"p95_us\":%d,"
                    + "\"p99_us\":%d,\"memory_kb\":[%d,%d,%d]}%n", t.name, t.requests.get(), t.failed.get(),
                    t.times.percentile(0.5) / 1000, t.times.percentile(0.95) / 1000, t.times.percentile(0.99) / 1000,
                    t.memory[0] / Math.max(1, t.samples[0]), t.memory[1] / Math.max(1, t.samples[1]),
                    t.memory[2] / Math.max(1, t.samples[2]));
    }
}
