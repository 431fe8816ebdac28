package ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What may be spent each month. */
final class Budget {
    private final Books books;
    private final Map<String, Money> limits = new TreeMap<>();

    Budget(Books books) {
        this.books = books;
    }

    void limit(String account, Money monthly) {
        if (books.account(account).kind() != Account.Kind.EXPENSE)
            throw new LedgerException(account + " is no account of expenses");
        limits.put(account, monthly);
    }

    Money spent(String account, int year, int month) {
        Day first = Day.of(year, month, 1);
        Account of = books.account(account);
        return of.balance(first.endOfMonth()).minus(of.balance(first.plusDays(-1)));
    }

    /** Accounts of which more was spent, with how much more. */
    List<String> exceeded(int year, int month) {
        List<String> exceeded = new ArrayList<>();
        for (Map.Entry<String, Money> limit : limits.entrySet()) {
            Money over = spent(limit.getKey(), year, month).minus(limit.getValue());
            if (over.units() > 0)
                exceeded.add(books.account(limit.getKey()).name() + " by " + over);
        }
        return exceeded;
    }

    /** Spent so far, as a part of the limit in percent. */
    long percent(String account, Day day) {
        Money limit = limits.get(account);
        if (limit == null || limit.isZero())
            throw new LedgerException("no limit of " + account);
        int[] parts = day.parts();
        Day first = Day.of(parts[0], parts[1], 1);
        Account of = books.account(account);
        Money spent = of.balance(day).minus(of.balance(first.plusDays(-1)));
        return spent.units() * 100 / limit.units();
    }
}
