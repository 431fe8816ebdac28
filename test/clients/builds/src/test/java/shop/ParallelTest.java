package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ParallelTest {
    @Test
    public void sum() {
        Shop shop = new Shop(new Tax());
        for (int i = 1; i <= 20; i++) {
            shop.price("tea", i);
            shop.order("tea", 1);
        }
        assertEquals(252, shop.total());
    }

    @Test
    public void wrong() {
        assertEquals(3, new Tax().on(10));
    }
}
