package rounding;

import static org.junit.Assert.*;

import org.junit.Test;

public class DiscountTest {
    @Test
    public void wholeAmounts() {
        assertEquals(900, new Discount(10).price(1000));
    }

    @Test
    public void someCents() {
        assertEquals(1125, new Discount(10).price(1250));
    }
}
