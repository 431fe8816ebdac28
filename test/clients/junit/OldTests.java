import static org.junit.Assert.*;

import org.junit.*;

public class OldTests {
    Shop shop = new Shop();

    @Test
    public void good() {
        assertNull(shop.find("a"));
    }

    @Test
    public void rebate() {
        assertEquals("rebate", 0, shop.rebate(3)); // old
    }

    @Test(expected = IllegalStateException.class)
    public void expects() {
        shop.find("a");
    }

    @Test(expected = NullPointerException.class)
    public void throwsIt() {
        shop.find("a").items.clear();
    }

    @Ignore("never")
    @Test
    public void ignored() {}

    @Test
    public void assumes() {
        Assume.assumeTrue(shop.find("a") != null);
    }
}
