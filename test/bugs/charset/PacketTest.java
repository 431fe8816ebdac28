package charset;

import static org.junit.Assert.*;

import org.junit.Test;

public class PacketTest {
    @Test
    public void plain() {
        assertEquals("tea", new Packet("tea").text());
    }

    @Test
    public void accents() {
        assertEquals("th\u00e9", new Packet("th\u00e9").text());
    }
}
