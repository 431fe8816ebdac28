package wrong_condition;

import static org.junit.Assert.*;

import org.junit.Test;

public class LeapTest {
    @Test
    public void four() {
        assertEquals(1461, Leap.days(2001, 2005));
    }

    @Test
    public void century() {
        assertEquals(366, Leap.days(2000, 2001));
    }
}
