package shallow_copy;

import static org.junit.Assert.*;

import org.junit.Test;

public class BoardTest {
    Board empty = new Board(3);

    @Test
    public void marks() {
        assertEquals(".x.", empty.with(0, 1, 'x').row(0));
    }

    @Test
    public void leavesTheOldBoard() {
        empty.with(0, 1, 'x');
        assertEquals("...", empty.row(0));
    }
}
