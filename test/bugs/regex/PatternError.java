package regex;

/** A pattern that is malformed. */
class PatternError extends RuntimeException {
    private final int at;

    PatternError(String pattern, int at, String message) {
        super(message + " at " + at + " of " + pattern);
        this.at = at;
    }

    int at() {
        return at;
    }
}
