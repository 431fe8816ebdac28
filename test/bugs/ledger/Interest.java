package ledger;

/** Interest on the balance of each day, in hundredths of a percent a year. */
final class Interest {
    private static final long BASIS_POINTS = 10_000;
    private static final int YEAR = 360;
    private final long rate;
    private final long overdraft;

    Interest(long rate, long overdraft) {
        this.rate = rate;
        this.overdraft = overdraft;
    }

    /** From the end of one day to that of another. */
    Money of(Account account, Day from, Day to) {
        long weighted = 0; // units * days * rate
        Day since = from;
        Money balance = account.balance(from);
        for (Posting posting : account.postings()) {
            if (posting.day().compareTo(from) <= 0 || posting.day().compareTo(to) > 0)
                continue;
            weighted += weight(balance, since, posting.day());
            Money amount = posting.amount();
            balance = balance.plus(account.kind().isDebit() ? amount : amount.negated());
            since = posting.day();
        }
        weighted += weight(balance, since, to);
        return new Money(weighted, account.currency()).part(1, BASIS_POINTS * YEAR);
    }

    private long weight(Money balance, Day from, Day to) {
        return balance.units() * Day.days360(from, to) * (balance.isNegative() ? overdraft : rate);
    }
}
