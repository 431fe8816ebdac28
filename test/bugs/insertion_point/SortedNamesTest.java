package insertion_point;

import static org.junit.Assert.*;

import org.junit.Test;

public class SortedNamesTest {
    @Test
    public void twice() {
        SortedNames names = new SortedNames();
        names.add("Ann");
        names.add("Ann");
        assertEquals("Ann", names.all());
    }

    @Test
    public void three() {
        SortedNames names = new SortedNames();
        names.add("Ann");
        names.add("Cid");
        names.add("Ben");
        assertEquals("Ann Ben Cid", names.all());
    }
}
