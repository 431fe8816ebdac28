package library_sort;

import static org.junit.Assert.*;

import org.junit.Test;

public class SongsTest {
    @Test
    public void lengths() {
        assertEquals("Go, Why, Help", Songs.byLength("Help", "Go", "Why"));
    }

    @Test
    public void keepsTheOrderOfEqualOnes() {
        assertEquals("Yes, Why, Help", Songs.byLength("Help", "Yes", "Why"));
    }
}
