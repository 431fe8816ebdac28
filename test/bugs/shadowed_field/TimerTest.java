package shadowed_field;

import static org.junit.Assert.*;

import org.junit.Test;

public class TimerTest {
    @Test
    public void nothingLeft() {
        assertFalse(new Timer(0, 0).tick());
    }

    @Test
    public void runs() {
        assertTrue(new Timer(1, 30).tick());
    }
}
