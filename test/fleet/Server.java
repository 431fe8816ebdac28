// One of several JVMs that handle requests at the same time: each line of standard input is the ID of one, which is
// set as a header, and read again.
// prints: each ID when it is handled
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;

public class Server {
    private final Map<String, String> headers = new HashMap<>();

    void setHeader(String name, String value) {
        headers.put(name, value);
    }

    void handle(String id) {
        setHeader("X-Request-Id", id);
        System.out.println(headers.get("X-Request-Id"));
    }

    public static void main(String[] args) throws IOException {
        Server server = new Server();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String id = in.readLine(); id != null; id = in.readLine()) {
            server.handle(id);
        }
    }
}
