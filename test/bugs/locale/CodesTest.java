package locale;

import static org.junit.Assert.*;

import org.junit.Test;

public class CodesTest {
    @Test
    public void plain() {
        Codes codes = new Codes();
        codes.define("FOO", 3);
        assertEquals(3, codes.of("foo"));
    }

    @Test
    public void withI() {
        Codes codes = new Codes();
        codes.define("INIT", 4);
        assertEquals(4, codes.of("init"));
    }
}
