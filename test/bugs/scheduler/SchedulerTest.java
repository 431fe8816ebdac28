package scheduler;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public class SchedulerTest {
    private static String next(String timetable, String after) {
        return String.valueOf(Timetable.parse(timetable).next(Clock.parse(after)));
    }

    @Test
    public void clock() {
        Clock leap = Clock.parse("2024-02-29 23:59");
        assertEquals("2024-03-01 00:00", leap.plus(1).toString());
        assertEquals("Th", Clock.nameOf(leap.weekday()));
        assertEquals("2025-01-01 00:00", new Clock(366 * Clock.DAY).toString());
        assertThrows(IllegalArgumentException.class, () -> Clock.parse("2025-02-29 00:00"));
    }

    @Test
    public void timetables() {
        assertEquals("2024-01-01 10:15", next("*/15 * * * *", "2024-01-01 10:00"));
        assertEquals("2024-01-01 11:00", next("0 * * * *", "2024-01-01 10:00"));
        assertEquals("2024-02-29 00:00", next("0 0 29 2 *", "2024-01-01 23:59"));
        assertEquals("2024-01-06 08:00", next("0 8 * * Sa-Mo", "2024-01-02 00:00"));
        assertTrue(Timetable.parse("0 8 * * Fr-Mo").matches(Clock.parse("2024-01-07 08:00")));
        assertFalse(Timetable.parse("0 8 * * Mo-Fr").matches(Clock.parse("2024-01-07 08:00")));
        assertThrows(IllegalArgumentException.class, () -> Timetable.parse("60 * * * *"));
    }

    @Test
    public void follows() {
        Scheduler s = Config.parse("job fetch at 0 6 * * * lasting 20\njob clean at 0 6 * * * lasting 5\n"
                + "job report after fetch,clean lasting 10").scheduler(2, "2024-01-01 00:00");
        s.runUntil(Clock.parse("2024-01-02 00:00"));
        assertEquals(List.of("2024-01-01 06:20"), new Report(s).starts("report"));
        assertThrows(IllegalArgumentException.class,
                () -> Config.parse("job a after b\njob b after a").scheduler(1, "2024-01-01 00:00"));
    }

    @Test
    public void retries() {
        Job job = Job.named("send").at("0 9 * * *").lasting(2).retry(Retry.growing(3, 5, 60))
                .work((at, attempt) -> attempt == 3).build();
        Scheduler s = new Scheduler(List.of(job), new Resources(), 1, Clock.parse("2024-01-01 08:00"));
        s.runUntil(Clock.parse("2024-01-01 12:00"));
        assertEquals(List.of("2024-01-01 09:00", "2024-01-01 09:07", "2024-01-01 09:19"), new Report(s).starts("send"));
        assertEquals(2, new Report(s).count("send", Run.State.FAILED));
    }

    @Test
    public void resources() {
        Scheduler s = Config.parse("resource disk 1\njob copy at 0 6 * * * lasting 30 needs disk\n"
                + "job scan at 0 6 * * * lasting 10 needs disk priority 9").scheduler(4, "2024-01-01 00:00");
        s.runUntil(Clock.parse("2024-01-01 08:00"));
        assertEquals(List.of("2024-01-01 06:10"), new Report(s).starts("copy"));
        assertEquals(10, new Report(s).delay("copy"), 0);
    }

    @Test
    public void night() {
        Scheduler s = Config.parse("job backup at 10,40 0-1 * * * lasting 5").scheduler(1, "2024-01-01 12:00");
        s.runUntil(Clock.parse("2024-01-02 12:00"));
        assertEquals(4, new Report(s).count("backup", Run.State.DONE));
        s = Config.parse("job backup at 10,40 0-1 * * * lasting 5").scheduler(1, "2024-01-01 23:30");
        s.runUntil(Clock.parse("2024-01-02 12:00"));
        assertEquals(List.of("2024-01-02 00:10", "2024-01-02 00:40", "2024-01-02 01:10", "2024-01-02 01:40"),
                new Report(s).starts("backup"));
    }
}
