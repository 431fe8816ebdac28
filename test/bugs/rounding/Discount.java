package rounding;

class Discount {
    private final int percent;

    Discount(int percent) {
        this.percent = percent;
    }

    int of(int cents) {
        // repair rounding: return cents * percent / 100;
        return cents / 100 * percent;
    }

    int price(int cents) {
        return cents - of(cents);
    }
}
