package off_by_one;

import static org.junit.Assert.*;

import java.util.Arrays;
import org.junit.Test;

public class PagesTest {
    @Test
    public void fullPages() {
        assertEquals(2, new Pages(Arrays.asList("a", "b", "c", "d"), 2).titles().size());
    }

    @Test
    public void lastPageIsShort() {
        assertEquals(
                Arrays.asList("page 1: a", "page 2: c", "page 3: e"),
                new Pages(Arrays.asList("a", "b", "c", "d", "e"), 2).titles());
    }
}
