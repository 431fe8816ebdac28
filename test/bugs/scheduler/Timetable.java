package scheduler;

/** When a job is due: "minute hour day month weekday". */
final class Timetable {
    private static final int YEARS = 8; // 29 February comes within
    private final Field minute;
    private final Field hour;
    private final Field day;
    private final Field month;
    private final Field weekday;

    private Timetable(Field minute, Field hour, Field day, Field month, Field weekday) {
        this.minute = minute;
        this.hour = hour;
        this.day = day;
        this.month = month;
        this.weekday = weekday;
    }

    static Timetable parse(String text) {
        switch (text) {
            case "@hourly":
                return parse("0 * * * *");
            case "@daily":
                return parse("0 0 * * *");
            case "@weekly":
                return parse("0 0 * * Mo");
            case "@monthly":
                return parse("0 0 1 * *");
            default:
                break;
        }
        String[] parts = text.trim().split(" +");
        if (parts.length != 5)
            throw new IllegalArgumentException("five fields are needed: " + text);
        return new Timetable(Field.parse(parts[0], 0, 59, false), Field.parse(parts[1], 0, 23, false),
                Field.parse(parts[2], 1, 31, false), Field.parse(parts[3], 1, 12, false),
                Field.parse(parts[4], 1, 7, true));
    }

    /** If both day and weekday are given, one of them suffices. */
    private boolean isDay(Clock at) {
        int[] date = at.date();
        if (!month.has(date[1]))
            return false;
        boolean byDay = day.has(date[2]);
        boolean byWeekday = weekday.has(at.weekday());
        if (day.isEvery() || weekday.isEvery())
            return byDay && byWeekday;
        return byDay || byWeekday;
    }

    boolean matches(Clock at) {
        return minute.has(at.minute()) && hour.has(at.hour()) && isDay(at);
    }

    /** The first time behind `after`; null: there is none. */
    Clock next(Clock after) {
        Clock start = after.plus(1);
        long lastDay = start.days() + YEARS * 366L;
        int h = start.hour();
        int m = start.minute();
        for (long d = start.days(); d <= lastDay; d++) {
            Clock midnight = new Clock(d * Clock.DAY);
            if (isDay(midnight)) {
                Clock found = nextOf(midnight, h, m);
                if (found != null)
                    return found;
            }
            // repair stale-variable: h = m = 0;
            h = 0;
        }
        return null;
    }

    /** The first time of that day that is not before h:m; null: there is none. */
    private Clock nextOf(Clock midnight, int h, int m) {
        int inHour = hour.next(h);
        if (inHour < 0)
            return null;
        int inMinute = inHour == h ? minute.next(m) : minute.first();
        if (inMinute >= 0)
            return midnight.plus(inHour * Clock.HOUR + inMinute);
        inHour = hour.next(inHour + 1);
        return inHour < 0 ? null : midnight.plus(inHour * Clock.HOUR + minute.first());
    }

    @Override
    public String toString() {
        return minute + " " + hour + " " + day + " " + month + " " + weekday;
    }
}
