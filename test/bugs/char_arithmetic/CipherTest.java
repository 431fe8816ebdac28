package char_arithmetic;

import static org.junit.Assert.*;

import org.junit.Test;

public class CipherTest {
    @Test
    public void begin() {
        assertEquals("def", new Cipher(3).encode("abc"));
    }

    @Test
    public void end() {
        assertEquals("abc", new Cipher(3).encode("xyz"));
    }
}
