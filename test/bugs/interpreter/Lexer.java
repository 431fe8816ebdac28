package interpreter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Scripts as tokens. */
final class Lexer {
    private static final Set<String> KEYWORDS =
            Set.of("let", "fun", "if", "else", "while", "for", "in", "return", "break", "continue", "true", "false",
                    "nil", "and", "or", "not", "throw", "try", "catch");
    private static final String[] SYMBOLS =
            {"==", "!=", "<=", ">=", "+=", "-=", "*=", "..", "=>", "+", "-", "*", "/", "%", "=", "<", ">", "(", ")",
                "{", "}", "[", "]", ",", ";", ":", "."};
    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;

    private Lexer(String text) {
        this.text = text;
    }

    static List<Token> tokens(String text) {
        Lexer lexer = new Lexer(text);
        lexer.run();
        return lexer.tokens;
    }

    private void run() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                line++;
                at++;
            } else if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '#') {
                skipComment();
            } else if (c == '"') {
                string();
            } else if (Character.isDigit(c)) {
                number();
            } else if (Character.isLetter(c) || c == '_') {
                name();
            } else {
                symbol();
            }
        }
        add(Token.Kind.END, "");
    }

    private void add(Token.Kind kind, String word) {
        tokens.add(new Token(kind, word, line));
    }

    private void skipComment() {
        while (at < text.length() && text.charAt(at) != '\n')
            at++;
    }

    private void string() {
        StringBuilder content = new StringBuilder();
        int begin = line;
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c == '\n')
                line++;
            content.append(c == '\\' ? escape() : c);
        }
        if (at >= text.length())
            throw new ScriptError(begin, "a string has no end");
        at++;
        add(Token.Kind.STRING, content.toString());
    }

    private char escape() {
        at++;
        char c = at < text.length() ? text.charAt(at) : 0;
        switch (c) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case '"':
            case '\\':
                return c;
            default:
                throw new ScriptError(line, "\\" + c + " is not known");
        }
    }

    private void number() {
        int begin = at;
        while (at < text.length() && Character.isDigit(text.charAt(at)))
            at++;
        if (at + 1 < text.length() && text.charAt(at) == '.' && Character.isDigit(text.charAt(at + 1))) {
            at++;
            while (at < text.length() && Character.isDigit(text.charAt(at)))
                at++;
        }
        add(Token.Kind.NUMBER, text.substring(begin, at));
    }

    private void name() {
        int begin = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_'))
            at++;
        String word = text.substring(begin, at);
        add(KEYWORDS.contains(word) ? Token.Kind.KEYWORD : Token.Kind.NAME, word);
    }

    private void symbol() {
        for (String symbol : SYMBOLS)
            if (text.startsWith(symbol, at)) {
                at += symbol.length();
                add(Token.Kind.SYMBOL, symbol);
                return;
            }
        throw new ScriptError(line, "what is " + text.charAt(at) + "?");
    }
}
