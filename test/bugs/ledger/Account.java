package ledger;

import java.util.ArrayList;
import java.util.List;

/** A page of the books. */
final class Account {
    enum Kind {
        ASSET,
        LIABILITY,
        EQUITY,
        INCOME,
        EXPENSE;

        /** Do its amounts grow on the left side? */
        boolean isDebit() {
            return this == ASSET || this == EXPENSE;
        }

        boolean isClosed() {
            return this == INCOME || this == EXPENSE;
        }
    }

    private final String number;
    private final String name;
    private final Kind kind;
    private final Currency currency;
    private final List<Posting> postings = new ArrayList<>();
    private Money floor; // null: any balance is allowed

    Account(String number, String name, Kind kind, Currency currency) {
        this.number = number;
        this.name = name;
        this.kind = kind;
        this.currency = currency;
    }

    String number() {
        return number;
    }

    String name() {
        return name;
    }

    Kind kind() {
        return kind;
    }

    Currency currency() {
        return currency;
    }

    List<Posting> postings() {
        return postings;
    }

    void floor(Money least) {
        floor = least;
    }

    Money floor() {
        return floor;
    }

    void add(Posting posting) {
        int at = postings.size();
        while (at > 0 && postings.get(at - 1).day().compareTo(posting.day()) > 0)
            at--;
        postings.add(at, posting);
    }

    /** Left minus right side of what was posted up to that day. */
    Money sum(Day until) {
        Money sum = Money.zero(currency);
        for (Posting posting : postings)
            if (until == null || posting.day().compareTo(until) <= 0)
                sum = sum.plus(posting.amount());
        return sum;
    }

    /** As it is shown: positive on the side where it grows. */
    Money balance(Day until) {
        return kind.isDebit() ? sum(until) : sum(until).negated();
    }

    @Override
    public String toString() {
        return number + " " + name;
    }
}
