package index_bounds;

import static org.junit.Assert.*;

import org.junit.Test;

public class RingTest {
    @Test
    public void few() {
        Ring ring = new Ring();
        ring.put(7);
        assertEquals(7, ring.last());
    }

    @Test
    public void many() {
        Ring ring = new Ring();
        for (int i = 1; i <= 6; i++) ring.put(i);
        assertEquals(6, ring.last());
    }
}
