import org.junit.Assert;
import org.junit.Test;

/** A rebate is subtracted once for each piece, from the fifth on: `suspects` names that branch (run.sh). */
public class PriceTests {
    static int price(int pieces, Integer rebate) {
        int price = pieces * 10;
        if (pieces > 4)
            price = price - rebate * pieces;
        return price;
    }

    @Test
    public void one() {
        Assert.assertEquals(10, price(1, 1));
    }

    @Test
    public void four() {
        Assert.assertEquals(40, price(4, 2));
    }

    @Test
    public void five() {
        Assert.assertEquals(48, price(5, 2));
    }

    @Test
    public void six() {
        Assert.assertEquals(57, price(6, 3));
    }
}
