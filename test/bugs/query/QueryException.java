package query;

/** A query that cannot be understood, or fails. */
class QueryException extends RuntimeException {
    QueryException(String message) {
        super(message);
    }
}
