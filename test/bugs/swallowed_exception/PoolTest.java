package swallowed_exception;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PoolTest {
    @Test
    void tight() {
        assertEquals(80, new Pool(new Settings("threads=4\nqueue=20")).capacity());
    }

    @Test
    void spaced() {
        assertEquals(80, new Pool(new Settings("threads = 4\nqueue = 20")).capacity());
    }
}
