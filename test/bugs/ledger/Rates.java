package ledger;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Rates of exchange: millionths of a unit of the second currency for one of the first. */
final class Rates {
    private static final long MILLION = 1_000_000;
    private final Map<String, NavigableMap<Day, Long>> rates = new HashMap<>();

    private static String key(Currency from, Currency to) {
        return from + "/" + to;
    }

    void put(Currency from, Currency to, Day since, long millionths) {
        if (millionths <= 0)
            throw new LedgerException("a rate of " + millionths);
        rates.computeIfAbsent(key(from, to), k -> new TreeMap<>()).put(since, millionths);
    }

    private Long find(Currency from, Currency to, Day day) {
        NavigableMap<Day, Long> days = rates.get(key(from, to));
        Map.Entry<Day, Long> entry = days == null ? null : days.floorEntry(day);
        return entry == null ? null : entry.getValue();
    }

    Money convert(Money amount, Currency to, Day day) {
        Currency from = amount.currency();
        if (from == to)
            return amount;
        Long rate = find(from, to, day);
        if (rate != null)
            return scaled(amount, to, rate, MILLION);
        rate = find(to, from, day);
        if (rate != null)
            return scaled(amount, to, MILLION, rate);
        throw new LedgerException("no rate of " + key(from, to) + " on " + day);
    }

    /** The currencies need not have the same number of digits. */
    private static Money scaled(Money amount, Currency to, long numerator, long denominator) {
        Money result = amount;
        long from = amount.currency().scale();
        // repair wrong-order: result = result.times(to.scale()).part(numerator, denominator * from);
        result = result.part(numerator, denominator).times(to.scale()).part(1, from);
        return new Money(result.units(), to);
    }
}
