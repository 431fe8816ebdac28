package exception_type;

import static org.junit.Assert.*;

import org.junit.Test;

public class ReaderTest {
    @Test
    public void none() {
        assertEquals("a:80", Reader.url("a", null));
    }

    @Test
    public void empty() {
        assertEquals("a:80", Reader.url("a", ""));
    }
}
