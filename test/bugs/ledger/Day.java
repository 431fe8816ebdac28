package ledger;

/** A date, as a number of days since 2000-01-01. */
record Day(int number) implements Comparable<Day> {
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    static boolean isLeap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    static int length(int year, int month) {
        return month == 2 && isLeap(year) ? 29 : DAYS[month - 1];
    }

    static Day of(int year, int month, int day) {
        if (year < 2000 || month < 1 || month > 12 || day < 1 || day > length(year, month))
            throw new LedgerException("no such day: " + year + "-" + month + "-" + day);
        int number = day - 1;
        for (int y = 2000; y < year; y++)
            number += isLeap(y) ? 366 : 365;
        for (int m = 1; m < month; m++)
            number += length(year, m);
        return new Day(number);
    }

    static Day parse(String text) {
        String[] parts = text.split("-");
        if (parts.length != 3)
            throw new LedgerException("not a day: " + text);
        return of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    /** Year, month, day. */
    int[] parts() {
        int rest = number;
        int year = 2000;
        for (; rest >= (isLeap(year) ? 366 : 365); year++)
            rest -= isLeap(year) ? 366 : 365;
        int month = 1;
        for (; rest >= length(year, month); month++)
            rest -= length(year, month);
        return new int[] {year, month, rest + 1};
    }

    Day plusDays(int days) {
        return new Day(number + days);
    }

    /** The same day of a later month; its last one if it has no such day. */
    Day plusMonths(int months) {
        int[] p = parts();
        int month = p[1] - 1 + months;
        int year = p[0] + Math.floorDiv(month, 12);
        int in = Math.floorMod(month, 12) + 1;
        return of(year, in, Math.min(p[2], length(year, in)));
    }

    Day endOfMonth() {
        int[] p = parts();
        return of(p[0], p[1], length(p[0], p[1]));
    }

    boolean isEndOfMonth() {
        return equals(endOfMonth());
    }

    /** Of interest by the European rule: each month has 30 days. */
    static int days360(Day from, Day to) {
        int[] a = from.parts();
        int[] b = to.parts();
        int firstDay = Math.min(a[2], 30);
        int lastDay = Math.min(b[2], 30);
        return (b[0] - a[0]) * 360 + (b[1] - a[1]) * 30 + lastDay - firstDay;
    }

    @Override
    public int compareTo(Day other) {
        return Integer.compare(number, other.number);
    }

    @Override
    public String toString() {
        int[] p = parts();
        return String.format("%04d-%02d-%02d", p[0], p[1], p[2]);
    }
}
