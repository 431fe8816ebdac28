package default_null;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class LabelTest {
    Users users = new Users();

    @Test
    void moved() {
        users.register("Ann");
        users.move("Ann", "bern");
        assertEquals("Ann, Bern", Label.of(users.find("Ann")));
    }

    @Test
    void registered() {
        users.register("Ann");
        users.register("Ben");
        users.move("Ann", "bern");
        assertEquals("Ben, Unknown", Label.of(users.find("Ben")));
    }
}
