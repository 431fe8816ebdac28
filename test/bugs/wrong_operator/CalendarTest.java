package wrong_operator;

import static org.junit.Assert.*;

import org.junit.Before;
import org.junit.Test;

public class CalendarTest {
    Calendar day;

    @Before
    public void morning() {
        day = new Calendar();
        day.book(9, 10);
    }

    @Test
    public void sameHourIsTaken() {
        assertFalse(day.book(9, 10));
    }

    @Test
    public void afternoonIsFree() {
        assertTrue("14 to 15", day.book(14, 15));
    }
}
