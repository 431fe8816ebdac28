package archive;

/** Seconds since 1970 as text. */
final class Time {
    private static final long DAY = 86400;

    private Time() {}

    static String show(long seconds) {
        long days = Math.floorDiv(seconds, DAY);
        long rest = Math.floorMod(seconds, DAY);
        // days since 0000-03-01, in eras of 400 years
        long z = days + 719468;
        long era = Math.floorDiv(z, 146097);
        long day = z - era * 146097;
        long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
        long ofYear = day - (365 * year + year / 4 - year / 100);
        long month = (5 * ofYear + 2) / 153;
        long ofMonth = ofYear - (153 * month + 2) / 5 + 1;
        month = month < 10 ? month + 3 : month - 9;
        year += era * 400 + (month <= 2 ? 1 : 0);
        return String.format("%04d-%02d-%02d %02d:%02d", year, month, ofMonth, rest / 3600, rest / 60 % 60);
    }

    /** 2024-02-29 12:30 */
    static long parse(String text) {
        String[] p = text.split("[- :]");
        if (p.length != 5)
            throw new ArchiveException("not a time: " + text);
        long year = Long.parseLong(p[0]);
        long month = Long.parseLong(p[1]);
        long day = Long.parseLong(p[2]);
        long y = month <= 2 ? year - 1 : year;
        long era = Math.floorDiv(y, 400);
        long ofEra = y - era * 400;
        long ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        long days = era * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468;
        return days * DAY + Long.parseLong(p[3]) * 3600 + Long.parseLong(p[4]) * 60;
    }
}
