package string_identity;

import static org.junit.Assert.*;

import org.junit.Test;

public class RolesTest {
    @Test
    public void hasNot() {
        assertFalse(new Roles("reader; writer").has("owner"));
    }

    @Test
    public void has() {
        assertTrue(new Roles("reader; writer").has("writer"));
    }
}
