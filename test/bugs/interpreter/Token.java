package interpreter;

/** A word of a script. */
record Token(Kind kind, String text, int line) {
    enum Kind {
        NAME,
        NUMBER,
        STRING,
        KEYWORD,
        SYMBOL,
        END
    }

    boolean is(String symbol) {
        return (kind == Kind.SYMBOL || kind == Kind.KEYWORD) && text.equals(symbol);
    }

    @Override
    public String toString() {
        return kind == Kind.END ? "the end" : "'" + text + "'";
    }
}
