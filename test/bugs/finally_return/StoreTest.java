package finally_return;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class StoreTest {
    Store store = new Store();

    @Test
    void enough() {
        store.put("pen", 5);
        assertEquals(3, store.take("pen", 2));
    }

    @Test
    void tooFew() {
        store.put("pen", 1);
        assertThrows(IllegalStateException.class, () -> store.take("pen", 2));
    }
}
