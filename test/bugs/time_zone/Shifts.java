package time_zone;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;

class Shifts {
    private final ZoneId zone;
    private final Map<LocalDate, Integer> minutes = new TreeMap<>();

    Shifts(ZoneId zone) {
        this.zone = zone;
    }

    void work(Instant begin, int length) {
        // repair time-zone: LocalDate day = begin.atZone(zone).toLocalDate();
        LocalDate day = begin.atZone(ZoneOffset.UTC).toLocalDate();
        minutes.merge(day, length, Integer::sum);
    }

    int on(LocalDate day) {
        return minutes.getOrDefault(day, 0);
    }
}
