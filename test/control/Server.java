import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A small HTTP server under load from its own clients, told what to do on standard input.
 *
 *     rate MILLISECONDS   answers "rate REQUESTS-PER-SECOND"
 *     count               answers "count REQUESTS WRONG"
 *     work                runs one round of work on a thread of its own and answers "work RESULT"
 *     end                 stops
 */
public class Server {
    private static final AtomicLong done = new AtomicLong(), wrong = new AtomicLong();
    private static volatile boolean running = true;

    /** What a request asks for: enough calls, fields and arrays that being woven shows. */
    static final class Account {
        private final int[] entries = new int[64];
        private long sum;

        void book(int at, int amount) {
            entries[at & 63] += amount;
            sum += amount;
        }

        long balance() {
            long total = 0;
            for (int e : entries)
                total += e;
            if (total != sum)
                throw new IllegalStateException("the books do not balance");
            return total;
        }
    }

    static long work(int n) {
        Account a = new Account();
        for (int i = 0; i < 200; i++)
            a.book(i * n, i ^ n);
        return a.balance();
    }

    static long expected(int n) {
        long total = 0;
        for (int i = 0; i < 200; i++)
            total += i ^ n;
        return total;
    }

    /** Stays in one frame for as long as the server runs, and keeps calling: what it was woven with stays in it. */
    private static void beat() {
        long n = 0;
        while (running) {
            n += work((int) n & 255) & 1;
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static void load(int port) {
        HttpClient client = HttpClient.newHttpClient();
        for (int n = 0; running; n = (n + 1) & 1023)
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/?" + n)).build();
                HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200 || Long.parseLong(answer.body()) != expected(n))
                    wrong.incrementAndGet();
                done.incrementAndGet();
            } catch (IOException | InterruptedException | RuntimeException e) {
                if (running) {
                    wrong.incrementAndGet();
                    e.printStackTrace();
                }
            }
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.createContext("/", exchange -> {
            byte[] body = Long.toString(work(Integer.parseInt(exchange.getRequestURI().getQuery()))).getBytes();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        int clients = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        for (int i = 0; i < clients; i++)
            new Thread(() -> load(server.getAddress().getPort()), "client-" + i).start();
        new Thread(Server::beat, "beat").start();
        System.out.println("ready " + ProcessHandle.current().pid());
        for (String line; (line = read()) != null && !line.equals("end");) {
            if (line.startsWith("rate ")) {
                long ms = Long.parseLong(line.substring(5)), before = done.get(), from = System.nanoTime();
                Thread.sleep(ms);
                System.out.println("rate " + (done.get() - before) * 1_000_000_000L / (System.nanoTime() - from));
            } else if (line.equals("count")) {
                System.out.println("count " + done.get() + " " + wrong.get());
            } else if (line.equals("work")) {
                long[] result = new long[1];
                Thread t = new Thread(() -> result[0] = work(7), "worker");
                t.start();
                t.join();
                System.out.println("work " + (result[0] == expected(7)));
            }
        }
        running = false;
        server.stop(0);
        System.exit(0);
    }

    private static String read() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = System.in.read()) != '\n';) {
            if (c < 0)
                return null;
            line.append((char) c);
        }
        return line.toString();
    }
}
