package ledger;

import java.util.ArrayList;
import java.util.List;

/** Something that happened: postings whose sum is zero. */
final class Entry {
    private final long number;
    private final Day day;
    private final String text;
    private final List<Posting> postings = new ArrayList<>();
    private Entry reversedBy;

    Entry(long number, Day day, String text) {
        this.number = number;
        this.day = day;
        this.text = text;
    }

    long number() {
        return number;
    }

    Day day() {
        return day;
    }

    String text() {
        return text;
    }

    List<Posting> postings() {
        return postings;
    }

    Entry reversedBy() {
        return reversedBy;
    }

    void reversedBy(Entry other) {
        reversedBy = other;
    }

    Entry add(Account account, Money amount) {
        if (account.currency() != amount.currency())
            throw new LedgerException(account + " is in " + account.currency());
        postings.add(new Posting(this, account, amount));
        return this;
    }

    void check() {
        if (postings.size() < 2)
            throw new LedgerException("entry " + number + " has one side");
        for (Currency currency : Currency.values()) {
            Money sum = Money.zero(currency);
            for (Posting posting : postings)
                if (posting.amount().currency() == currency)
                    sum = sum.plus(posting.amount());
            if (!sum.isZero())
                throw new LedgerException("entry " + number + " is off by " + sum);
        }
    }
}
