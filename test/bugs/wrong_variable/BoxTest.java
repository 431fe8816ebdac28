package wrong_variable;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void cube() {
        assertEquals(6, new Box(1, 1, 1).surface());
    }

    @Test
    void crate() {
        assertEquals(52, new Box(2, 3, 4).surface());
    }
}
