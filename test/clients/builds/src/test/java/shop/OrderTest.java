package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import org.junit.Ignore;
import org.junit.Test;

public class OrderTest {
    private final Shop shop = new Shop(new Tax());

    @Test
    public void two() {
        shop.price("tea", 100);
        shop.order("tea", 2);
        assertEquals(240, shop.total());
    }

    @Test
    public void three() {
        shop.price("tea", 100);
        shop.order("tea", 3);
        assertEquals(360, shop.total());
    }

    @Test
    public void unknown() {
        shop.order("coffee", 1);
    }

    @Test
    @Ignore
    public void later() {}

    @Test
    public void elsewhere() {
        assumeTrue(shop.total() > 0);
    }
}
