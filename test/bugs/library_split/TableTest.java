package library_split;

import static org.junit.Assert.*;

import org.junit.Test;

public class TableTest {
    @Test
    public void three() {
        assertEquals(3, Table.columns("a;b;c"));
    }

    @Test
    public void lastIsEmpty() {
        assertEquals(3, Table.columns("a;b;"));
    }
}
