import org.testng.Assert;
import org.testng.annotations.*;

public class NgTests {
    Shop shop = new Shop();

    @Test
    public void good() {
        Assert.assertNull(shop.find("a"));
    }

    @Test
    public void rebate() {
        Assert.assertEquals(shop.rebate(3), 0, "rebate"); // ng
    }

    @Test(dependsOnMethods = "rebate")
    public void after() {}

    @DataProvider
    Object[][] counts() {
        return new Object[][] {{1}, {2}, {5}};
    }

    @Test(dataProvider = "counts")
    public void data(int n) {
        Assert.assertTrue(shop.rebate(n) == 0);
    }

    @Test(expectedExceptions = NullPointerException.class)
    public void throwsIt() {
        shop.find("a").items.clear();
    }
}
