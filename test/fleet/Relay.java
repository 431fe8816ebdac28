// A request that goes from one JVM to another over HTTP: without arguments it serves, and ends after one request; with
// the URL and an ID it asks.
// prints: the port and the ID that came, or the answer
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;

public class Relay {
    static void serve(HttpExchange exchange) throws IOException {
        String id = exchange.getRequestHeaders().getFirst("x-request-id");
        System.out.println(id);
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    static void ask(String url, String id) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
        connection.setRequestProperty("X-Request-Id", id);
        System.out.println(connection.getResponseCode());
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            ask(args[0], args[1]);
            return;
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            serve(exchange);
            server.stop(0);
        });
        System.out.println(server.getAddress().getPort());
        server.start();
    }
}
