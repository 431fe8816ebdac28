package equals_hashcode;

import static org.junit.Assert.*;

import org.junit.Test;

public class WalkTest {
    @Test
    public void straight() {
        assertEquals(4, new Walk().go("NNN").places());
    }

    @Test
    public void backAgain() {
        assertEquals(3, new Walk().go("NNSS").places());
    }
}
