package ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Accounts, and all entries. */
final class Books {
    private final Map<String, Account> accounts = new TreeMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private Day closedUntil; // null: nothing is closed
    private long numbers;

    Account open(String number, String name, Account.Kind kind, Currency currency) {
        Account account = new Account(number, name, kind, currency);
        if (accounts.putIfAbsent(number, account) != null)
            throw new LedgerException("there is an account " + number);
        return account;
    }

    Account account(String number) {
        Account account = accounts.get(number);
        if (account == null)
            throw new LedgerException("there is no account " + number);
        return account;
    }

    Collection<Account> accounts() {
        return accounts.values();
    }

    List<Entry> entries() {
        return entries;
    }

    Entry begin(String day, String text) {
        return begin(Day.parse(day), text);
    }

    Entry begin(Day day, String text) {
        return new Entry(++numbers, day, text);
    }

    Entry post(Entry entry) {
        entry.check();
        if (closedUntil != null && entry.day().compareTo(closedUntil) <= 0)
            throw new LedgerException("the books are closed until " + closedUntil);
        for (Posting posting : entry.postings())
            checkFloor(posting);
        for (Posting posting : entry.postings())
            posting.account().add(posting);
        entries.add(entry);
        return entry;
    }

    private static void checkFloor(Posting posting) {
        Account account = posting.account();
        if (account.floor() == null)
            return;
        Money change = account.kind().isDebit() ? posting.amount() : posting.amount().negated();
        Money after = account.balance(null).plus(change);
        if (after.compareTo(account.floor()) < 0)
            throw new LedgerException(account + " would be " + after);
    }

    Entry transfer(String day, String text, String from, String to, Money amount) {
        return post(begin(day, text).add(account(to), amount).add(account(from), amount.negated()));
    }

    /** Takes an entry back by one with the sides exchanged. */
    Entry reverse(Entry entry, Day day) {
        if (entry.reversedBy() != null)
            throw new LedgerException("entry " + entry.number() + " is taken back already");
        Entry back = begin(day, "reversal of " + entry.number());
        for (Posting posting : entry.postings())
            back.add(posting.account(), posting.amount().negated());
        post(back);
        entry.reversedBy(back);
        return back;
    }

    /** Carries what was earned and spent over to an account of equity. */
    Entry close(Day day, String to) {
        Account equity = account(to);
        Entry entry = begin(day, "closing");
        Money profit = Money.zero(equity.currency());
        for (Account account : accounts()) {
            if (!account.kind().isClosed() || account.currency() != equity.currency())
                continue;
            Money sum = account.sum(day);
            if (sum.isZero())
                continue;
            entry.add(account, sum.negated());
            profit = profit.plus(sum);
        }
        if (!entry.postings().isEmpty()) {
            entry.add(equity, profit);
            post(entry);
        }
        closedUntil = day;
        return entry;
    }
}
