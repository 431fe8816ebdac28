import static org.junit.Assert.*;

import org.hamcrest.CoreMatchers;
import org.junit.*;
import org.junit.rules.*;

public class OldTests {
    static class Settings {
        static int zero;
        static final int EACH = 10 / zero; // initializer

        static int each() {
            return EACH;
        }
    }

    @Rule public ExpectedException expected = ExpectedException.none();
    @Rule public ErrorCollector errors = new ErrorCollector();
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

    @Test
    public void ruled() {
        expected.expect(IllegalStateException.class);
        shop.find("a").items.clear(); // ruled
    }

    @Test
    public void ruledNothing() {
        expected.expect(IllegalStateException.class);
        shop.refuse(2);
    }

    @Test
    public void wrongType() {
        assertThrows(NullPointerException.class, () -> shop.refuse(3));
    }

    @Test
    public void collected() {
        errors.checkThat("rebate", shop.rebate(3), CoreMatchers.is(0)); // collected
    }

    @Test
    public void collectedTwice() {
        errors.checkThat(shop.rebate(3), CoreMatchers.is(0)); // collected first
        errors.checkThat(shop.rebate(4), CoreMatchers.is(1));
    }

    @Test
    public void started() {
        Settings.each();
    }

    @Test
    public void startedAgain() {
        Settings.each();
    }

    @Ignore("never")
    @Test
    public void ignored() {}

    @Test
    public void assumes() {
        Assume.assumeTrue(shop.find("a") != null);
    }
}
