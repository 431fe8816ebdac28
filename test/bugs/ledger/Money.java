package ledger;

import java.util.ArrayList;
import java.util.List;

/** An amount of a currency, in its smallest unit. */
record Money(long units, Currency currency) implements Comparable<Money> {
    static Money zero(Currency currency) {
        return new Money(0, currency);
    }

    /** 12.50 EUR */
    static Money parse(String text) {
        String[] parts = text.trim().split(" +");
        if (parts.length != 2)
            throw new LedgerException("not an amount: " + text);
        Currency currency = Currency.of(parts[1]);
        String number = parts[0].replace(",", "");
        boolean negative = number.startsWith("-");
        if (negative)
            number = number.substring(1);
        int point = number.indexOf('.');
        String whole = point < 0 ? number : number.substring(0, point);
        String rest = point < 0 ? "" : number.substring(point + 1);
        if (rest.length() > currency.digits())
            throw new LedgerException(text + " has more than " + currency.digits() + " digits");
        rest += "0".repeat(currency.digits() - rest.length());
        long units = Long.parseLong(whole + rest);
        return new Money(negative ? -units : units, currency);
    }

    private void check(Money other) {
        if (currency != other.currency)
            throw new LedgerException(currency + " and " + other.currency + " do not go together");
    }

    Money plus(Money other) {
        check(other);
        return new Money(Math.addExact(units, other.units), currency);
    }

    Money minus(Money other) {
        check(other);
        return new Money(Math.subtractExact(units, other.units), currency);
    }

    Money negated() {
        return new Money(-units, currency);
    }

    Money times(long factor) {
        return new Money(Math.multiplyExact(units, factor), currency);
    }

    /** A part of it, rounded half away from zero. */
    Money part(long numerator, long denominator) {
        long product = Math.multiplyExact(units, numerator);
        long half = denominator / 2;
        long rounded = product >= 0 ? (product + half) / denominator : (product - half) / denominator;
        return new Money(rounded, currency);
    }

    /** By weights; what cannot be divided goes to the first ones. */
    List<Money> split(long... weights) {
        long sum = 0;
        for (long weight : weights)
            sum += weight;
        if (sum <= 0)
            throw new LedgerException("nothing to split by");
        List<Money> parts = new ArrayList<>();
        long rest = units;
        for (long weight : weights) {
            long share = units * weight / sum;
            rest -= share;
            parts.add(new Money(share, currency));
        }
        for (int i = 0; rest != 0; i = (i + 1) % parts.size()) {
            if (weights[i] == 0)
                continue;
            long step = rest > 0 ? 1 : -1;
            parts.set(i, new Money(parts.get(i).units + step, currency));
            rest -= step;
        }
        return parts;
    }

    boolean isZero() {
        return units == 0;
    }

    boolean isNegative() {
        return units < 0;
    }

    @Override
    public int compareTo(Money other) {
        check(other);
        return Long.compare(units, other.units);
    }

    @Override
    public String toString() {
        long scale = currency.scale();
        long all = Math.abs(units);
        String text = Long.toString(all / scale);
        if (currency.digits() > 0)
            text += "." + String.format("%0" + currency.digits() + "d", all % scale);
        return (units < 0 ? "-" : "") + text + " " + currency;
    }
}
