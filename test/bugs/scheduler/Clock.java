package scheduler;

/** Minutes since Monday 1 January 2024, 00:00: a time without a zone. */
record Clock(long minutes) implements Comparable<Clock> {
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    private static final String[] NAMES = {"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"};
    private static final int FIRST_YEAR = 2024;
    static final long HOUR = 60;
    static final long DAY = 24 * HOUR;

    static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    static int daysOf(int year, int month) {
        return month == 2 && isLeap(year) ? 29 : DAYS[month - 1];
    }

    static Clock of(int year, int month, int day, int hour, int minute) {
        if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > daysOf(year, month))
            throw new IllegalArgumentException("no such day: " + year + "-" + month + "-" + day);
        long days = day - 1;
        for (int y = FIRST_YEAR; y < year; y++)
            days += isLeap(y) ? 366 : 365;
        for (int m = 1; m < month; m++)
            days += daysOf(year, m);
        return new Clock(days * DAY + hour * HOUR + minute);
    }

    /** 2024-03-01 07:30 */
    static Clock parse(String text) {
        String[] parts = text.split("[- :]");
        if (parts.length != 5)
            throw new IllegalArgumentException("not a time: " + text);
        int[] n = new int[5];
        for (int i = 0; i < 5; i++)
            n[i] = Integer.parseInt(parts[i]);
        return of(n[0], n[1], n[2], n[3], n[4]);
    }

    Clock plus(long more) {
        return new Clock(minutes + more);
    }

    long days() {
        return minutes / DAY;
    }

    int minute() {
        return (int) (minutes % HOUR);
    }

    int hour() {
        return (int) (minutes % DAY / HOUR);
    }

    /** 1 Monday to 7 Sunday. */
    int weekday() {
        return (int) (days() % 7) + 1;
    }

    /** Year, month, day. */
    int[] date() {
        long rest = days();
        int year = FIRST_YEAR;
        for (; rest >= (isLeap(year) ? 366 : 365); year++)
            rest -= isLeap(year) ? 366 : 365;
        int month = 1;
        for (; rest >= daysOf(year, month); month++)
            rest -= daysOf(year, month);
        return new int[] {year, month, (int) rest + 1};
    }

    @Override
    public int compareTo(Clock other) {
        return Long.compare(minutes, other.minutes);
    }

    static String nameOf(int weekday) {
        return NAMES[weekday - 1];
    }

    static int weekdayOf(String name) {
        for (int i = 0; i < NAMES.length; i++)
            if (NAMES[i].equalsIgnoreCase(name))
                return i + 1;
        throw new IllegalArgumentException("no such day: " + name);
    }

    @Override
    public String toString() {
        int[] d = date();
        return String.format("%04d-%02d-%02d %02d:%02d", d[0], d[1], d[2], hour(), minute());
    }
}
