package wrong_condition;

class Leap {
    static boolean isLeap(int year) {
        // repair wrong-operator: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return year % 4 == 0 && year % 100 != 0;
    }

    static int days(int from, int to) {
        int days = 0;
        for (int year = from; year < to; year++) days += isLeap(year) ? 366 : 365;
        return days;
    }
}
