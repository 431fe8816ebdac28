package missing_break;

class Tariff {
    static int cents(char kind, int minutes) {
        int each;
        switch (kind) {
            case 'L':
                each = 2;
                break;
            case 'N':
                // repair fall-through: each = 5; break;
                each = 5;
            case 'W':
                each = 30;
                break;
            default:
                each = 0;
        }
        return each * minutes;
    }
}
