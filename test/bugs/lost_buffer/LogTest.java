package lost_buffer;

import static org.junit.Assert.*;

import org.junit.Test;

public class LogTest {
    @Test
    public void nothing() throws Exception {
        assertEquals("", new Log().text());
    }

    @Test
    public void line() throws Exception {
        Log log = new Log();
        log.say("started");
        assertEquals("started", log.text().trim());
    }
}
