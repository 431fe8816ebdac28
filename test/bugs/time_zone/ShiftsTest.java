package time_zone;

import static org.junit.Assert.*;

import java.time.*;
import org.junit.Test;

public class ShiftsTest {
    Shifts shifts = new Shifts(ZoneId.of("Asia/Tokyo"));

    @Test
    public void noon() {
        shifts.work(Instant.parse("2024-05-03T03:00:00Z"), 60);
        assertEquals(60, shifts.on(LocalDate.of(2024, 5, 3)));
    }

    @Test
    public void earlyMorning() {
        shifts.work(Instant.parse("2024-05-02T21:00:00Z"), 90);
        assertEquals(90, shifts.on(LocalDate.of(2024, 5, 3)));
    }
}
