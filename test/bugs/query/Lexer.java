package query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A query as words. */
final class Lexer {
    enum Kind {
        WORD,
        NAME,
        NUMBER,
        TEXT,
        SYMBOL,
        END
    }

    record Word(Kind kind, String text, int at) {
        boolean is(String other) {
            return (kind == Kind.WORD || kind == Kind.SYMBOL) && text.equals(other);
        }
    }

    private static final Set<String> WORDS =
            Set.of("SELECT", "DISTINCT", "FROM", "JOIN", "LEFT", "INNER", "ON", "WHERE", "GROUP", "BY", "HAVING",
                    "ORDER", "ASC", "DESC", "LIMIT", "OFFSET", "AS", "AND", "OR", "NOT", "IN", "IS", "NULL", "LIKE",
                    "BETWEEN", "TRUE", "FALSE", "CASE", "WHEN", "THEN", "ELSE", "END");
    private static final String[] SYMBOLS =
            {"<>", "<=", ">=", "!=", "||", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", ",", "."};
    private final String query;
    private final List<Word> words = new ArrayList<>();
    private int at;

    private Lexer(String query) {
        this.query = query;
    }

    static List<Word> words(String query) {
        Lexer lexer = new Lexer(query);
        while (lexer.next())
            continue;
        lexer.words.add(new Word(Kind.END, "", query.length()));
        return lexer.words;
    }

    private boolean next() {
        while (at < query.length() && Character.isWhitespace(query.charAt(at)))
            at++;
        if (at == query.length())
            return false;
        char c = query.charAt(at);
        if (Character.isLetter(c) || c == '_')
            name();
        else if (Character.isDigit(c))
            number();
        else if (c == '\'')
            text();
        else
            symbol();
        return true;
    }

    private void name() {
        int begin = at;
        while (at < query.length() && (Character.isLetterOrDigit(query.charAt(at)) || query.charAt(at) == '_'))
            at++;
        String text = query.substring(begin, at);
        String upper = text.toUpperCase(Locale.ROOT);
        boolean known = WORDS.contains(upper);
        words.add(new Word(known ? Kind.WORD : Kind.NAME, known ? upper : text, begin));
    }

    private void number() {
        int begin = at;
        while (at < query.length() && (Character.isDigit(query.charAt(at)) || query.charAt(at) == '.'))
            at++;
        words.add(new Word(Kind.NUMBER, query.substring(begin, at), begin));
    }

    private void text() {
        int begin = at;
        StringBuilder content = new StringBuilder();
        for (at++; ; at++) {
            if (at >= query.length())
                throw new QueryException("the text at " + begin + " has no end");
            if (query.charAt(at) == '\'') {
                if (at + 1 >= query.length() || query.charAt(at + 1) != '\'')
                    break;
                at++;
            }
            content.append(query.charAt(at));
        }
        at++;
        words.add(new Word(Kind.TEXT, content.toString(), begin));
    }

    private void symbol() {
        for (String symbol : SYMBOLS)
            if (query.startsWith(symbol, at)) {
                words.add(new Word(Kind.SYMBOL, symbol, at));
                at += symbol.length();
                return;
            }
        throw new QueryException("what is " + query.charAt(at) + " at " + at + "?");
    }
}
