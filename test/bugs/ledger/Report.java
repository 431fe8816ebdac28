package ledger;

import java.util.ArrayList;
import java.util.List;

/** What the books say. */
final class Report {
    private final Books books;
    private final Rates rates;
    private final Currency currency;

    Report(Books books, Rates rates, Currency currency) {
        this.books = books;
        this.rates = rates;
        this.currency = currency;
    }

    private Money inCurrency(Money amount, Day day) {
        return rates.convert(amount, currency, day);
    }

    Money total(Account.Kind kind, Day day) {
        Money total = Money.zero(currency);
        for (Account account : books.accounts())
            if (account.kind() == kind)
                total = total.plus(inCurrency(account.balance(day), day));
        return total;
    }

    Money profit(Day day) {
        return total(Account.Kind.INCOME, day).minus(total(Account.Kind.EXPENSE, day));
    }

    /** All left sides must be equal to all right sides. */
    List<String> trial(Day day) {
        List<String> lines = new ArrayList<>();
        Money left = Money.zero(currency);
        Money right = Money.zero(currency);
        for (Account account : books.accounts()) {
            Money sum = account.sum(day);
            if (sum.isZero())
                continue;
            Money shown = inCurrency(sum, day);
            lines.add(String.format("%-24s %16s", account, shown));
            if (shown.isNegative())
                right = right.minus(shown);
            else
                left = left.plus(shown);
        }
        lines.add(String.format("%-24s %16s %16s", "total", left, right));
        return lines;
    }

    /** What belongs to the owner: it is equal to the capital and what was earned. */
    Money worth(Day day) {
        return total(Account.Kind.ASSET, day).minus(total(Account.Kind.LIABILITY, day));
    }

    List<String> statement(String number, Day from, Day to) {
        Account account = books.account(number);
        List<String> lines = new ArrayList<>();
        Money balance = account.balance(from.plusDays(-1));
        lines.add(String.format("%s %-20s %14s %14s", from, "brought forward", "", balance));
        for (Posting posting : account.postings()) {
            if (posting.day().compareTo(from) < 0 || posting.day().compareTo(to) > 0)
                continue;
            Money change = account.kind().isDebit() ? posting.amount() : posting.amount().negated();
            balance = balance.plus(change);
            lines.add(String.format("%s %-20s %14s %14s", posting.day(), posting.entry().text(), change, balance));
        }
        return lines;
    }
}
