// One of several JVMs that hand a request on: Caller NAME ID...: each ID is set as a header, and read again.
// prints: the IDs, one a line
import java.util.HashMap;
import java.util.Map;

public class Caller {
    private final Map<String, String> headers = new HashMap<>();

    void setHeader(String name, String value) {
        headers.put(name.toLowerCase(), value);
    }

    String getHeader(String name) {
        return headers.get(name);
    }

    int handle(String id) {
        setHeader("X-Request-Id", id);
        setHeader("Accept", "text/plain");
        String seen = getHeader("x-request-id");
        System.out.println(seen);
        if (seen.endsWith("0")) {
            throw new IllegalStateException(seen);
        }
        return seen.length();
    }

    public static void main(String[] args) {
        Caller caller = new Caller();
        for (int i = 1; i < args.length; i++) {
            try {
                caller.handle(args[i]);
            } catch (IllegalStateException e) {
                System.out.println("refused");
            }
        }
    }
}
