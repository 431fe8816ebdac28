package wrong_key;

import static org.junit.Assert.*;

import org.junit.Test;

public class PhonesTest {
    @Test
    public void plain() {
        Phones phones = new Phones();
        phones.put("Ann", "12 34");
        assertEquals("1234", phones.get("ann"));
    }

    @Test
    public void blank() {
        Phones phones = new Phones();
        phones.put("Ann ", "12 34");
        assertEquals("1234", phones.get("Ann"));
    }
}
