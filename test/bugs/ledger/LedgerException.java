package ledger;

/** What the books do not allow. */
class LedgerException extends RuntimeException {
    LedgerException(String message) {
        super(message);
    }
}
