package stale_cache;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CartTest {
    @Test
    public void adds() {
        Cart cart = new Cart();
        cart.add("tea", 300);
        cart.add("tea", 300);
        assertEquals(600, cart.total());
    }

    @Test
    public void removes() {
        Cart cart = new Cart();
        cart.add("tea", 300);
        cart.add("cup", 500);
        assertEquals(800, cart.total());
        cart.remove("cup");
        assertEquals(300, cart.total());
    }
}
