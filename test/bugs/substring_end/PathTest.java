package substring_end;

import static org.junit.Assert.*;

import org.junit.Test;

public class PathTest {
    @Test
    public void folder() {
        assertEquals("folder", Path.kind("src"));
    }

    @Test
    public void source() {
        assertEquals("source", Path.kind("src/Main.java"));
    }
}
