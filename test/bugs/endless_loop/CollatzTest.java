package endless_loop;

import static org.junit.Assert.*;

import org.junit.Test;

public class CollatzTest {
    @Test
    public void powerOfTwo() {
        assertEquals(3, Collatz.steps(8));
    }

    @Test
    public void seven() {
        assertEquals(16, Collatz.steps(7));
    }
}
