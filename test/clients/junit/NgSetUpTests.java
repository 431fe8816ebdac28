import java.lang.reflect.Method;
import org.testng.Assert;
import org.testng.annotations.*;

/** A set-up fails: then TestNG skips what comes after it. */
public class NgSetUpTests {
    Shop shop = new Shop();

    @BeforeMethod
    public void prepare(Method test) {
        if (test.getName().equals("second")) shop.find("a").items.clear(); // prepare
    }

    @Test
    public void first() {}

    @Test
    public void second() {}

    @Test(expectedExceptions = IllegalStateException.class)
    public void third() {}
}

class NgOtherTests {
    Shop shop = new Shop();

    @Test(expectedExceptions = IllegalStateException.class)
    public void nothing() {
        shop.refuse(2);
    }

    @Test
    public void wrongType() {
        Assert.assertThrows(NullPointerException.class, () -> shop.refuse(3));
    }
}
