package memo_key;

import static org.junit.Assert.*;

import org.junit.Test;

public class PricesTest {
    @Test
    public void germany() {
        assertEquals(357, new Prices().price("tea", "DE"));
    }

    @Test
    public void both() {
        Prices prices = new Prices();
        prices.price("tea", "DE");
        assertEquals(360, prices.price("tea", "AT"));
    }
}
