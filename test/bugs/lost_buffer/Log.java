package lost_buffer;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.StringWriter;

class Log {
    private final StringWriter to = new StringWriter();
    private final BufferedWriter out = new BufferedWriter(to);

    void say(String line) throws IOException {
        out.write(line);
        out.newLine();
    }

    String text() throws IOException {
        // repair missing-flush: out.flush(); return to.toString();
        return to.toString();
    }
}
