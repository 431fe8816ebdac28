package integer_cache;

import static org.junit.Assert.*;

import org.junit.Test;

public class SeatsTest {
    @Test
    public void small() {
        Seats seats = new Seats();
        seats.take("Ann", 12);
        seats.take("Ben", 12);
        assertTrue(seats.together("Ann", "Ben"));
    }

    @Test
    public void large() {
        Seats seats = new Seats();
        seats.take("Ann", 1012);
        seats.take("Ben", 1012);
        assertTrue(seats.together("Ann", "Ben"));
    }
}
