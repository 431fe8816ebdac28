package double_check;

import static org.junit.Assert.*;

import org.junit.Test;

public class LazyTest {
    @Test
    public void empty() {
        assertEquals(0, new Lazy().count());
    }

    @Test
    public void adds() {
        Lazy lazy = new Lazy();
        lazy.add("tea");
        assertEquals(1, lazy.count());
    }
}
