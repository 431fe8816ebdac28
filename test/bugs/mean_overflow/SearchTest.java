package mean_overflow;

import static org.junit.Assert.*;

import org.junit.Test;

public class SearchTest {
    @Test
    public void small() {
        assertEquals(12, Search.root(144, 0, 1000));
    }

    @Test
    public void large() {
        assertEquals(40000, Search.root(1_600_000_000, 0, 1_000_000));
    }
}
