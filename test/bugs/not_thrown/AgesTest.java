package not_thrown;

import static org.junit.Assert.*;

import org.junit.Test;

public class AgesTest {
    @Test
    public void mean() {
        Ages ages = new Ages();
        ages.add(20);
        ages.add(30);
        assertEquals(25, ages.mean());
    }

    @Test(expected = IllegalArgumentException.class)
    public void negative() {
        new Ages().add(-1);
    }
}
