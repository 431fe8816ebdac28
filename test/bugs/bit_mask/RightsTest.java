package bit_mask;

import static org.junit.Assert.*;

import org.junit.Test;

public class RightsTest {
    @Test
    public void revoked() {
        assertFalse(new Rights().grant(Rights.WRITE).revoke(Rights.WRITE).may(Rights.WRITE));
    }

    @Test
    public void neverHad() {
        assertFalse(new Rights().grant(Rights.READ).revoke(Rights.WRITE).may(Rights.WRITE));
    }
}
