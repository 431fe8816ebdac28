package ledger;

/** With the number of digits behind the point. */
enum Currency {
    EUR(2),
    USD(2),
    JPY(0),
    KWD(3);

    private final int digits;

    Currency(int digits) {
        this.digits = digits;
    }

    int digits() {
        return digits;
    }

    long scale() {
        long scale = 1;
        for (int i = 0; i < digits; i++)
            scale *= 10;
        return scale;
    }

    static Currency of(String code) {
        for (Currency c : values())
            if (c.name().equals(code))
                return c;
        throw new LedgerException("no such currency: " + code);
    }
}
