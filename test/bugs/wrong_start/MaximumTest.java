package wrong_start;

import static org.junit.Assert.*;

import org.junit.Test;

public class MaximumTest {
    @Test
    public void summer() {
        assertEquals(12, Maximum.range(18, 25, 30));
    }

    @Test
    public void winter() {
        assertEquals(7, Maximum.range(-9, -2, -4));
    }
}
