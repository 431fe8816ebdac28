package ledger;

/** One side of an entry: debit is positive, credit negative. */
record Posting(Entry entry, Account account, Money amount) {
    Day day() {
        return entry.day();
    }
}
