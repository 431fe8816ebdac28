package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class EmptyTest {
    @Test
    public void none() {
        assertEquals(0, new Shop(new Tax()).total());
    }

    @Test
    public void noTax() {
        assertEquals(1, new Tax().on(10));
    }
}
