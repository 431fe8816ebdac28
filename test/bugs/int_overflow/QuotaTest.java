package int_overflow;

import static org.junit.Assert.*;

import org.junit.Test;

public class QuotaTest {
    @Test
    public void small() {
        Quota quota = new Quota(1);
        assertTrue(quota.take(1000));
        assertEquals(1073740824L, quota.left());
    }

    @Test
    public void large() {
        Quota quota = new Quota(5);
        assertTrue("the first file", quota.take(2_000_000_000L));
        assertTrue("the second file", quota.take(2_000_000_000L));
    }
}
