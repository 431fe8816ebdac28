package json;

import java.math.BigDecimal;

/** Text as values. */
final class Parser {
    private static final int DEEPEST = 200;
    private final String text;
    private int at;
    private int depth;

    private Parser(String text) {
        this.text = text;
    }

    static Json parse(String text) {
        Parser parser = new Parser(text);
        Json value = parser.value();
        parser.space();
        if (parser.at < text.length())
            throw parser.error("the end");
        return value;
    }

    private JsonException error(String wanted) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < at && i < text.length(); i++) {
            column++;
            if (text.charAt(i) == '\n') {
                line++;
                column = 1;
            }
        }
        return new JsonException("line " + line + ", column " + column + ": " + wanted + " is expected");
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0)
            at++;
    }

    private char peek() {
        space();
        if (at == text.length())
            throw error("a value");
        return text.charAt(at);
    }

    private boolean take(char c) {
        space();
        if (at == text.length() || text.charAt(at) != c)
            return false;
        at++;
        return true;
    }

    private void need(char c) {
        if (!take(c))
            throw error("'" + c + "'");
    }

    private Json value() {
        char c = peek();
        if (++depth > DEEPEST)
            throw new JsonException("it is nested too deeply");
        try {
            switch (c) {
                case '{':
                    return object();
                case '[':
                    return array();
                case '"':
                    return Json.of(string());
                case 't':
                    return word("true", Json.TRUE);
                case 'f':
                    return word("false", Json.FALSE);
                case 'n':
                    return word("null", Json.NULL);
                default:
                    return number();
            }
        } finally {
            depth--;
        }
    }

    private Json word(String word, Json value) {
        if (!text.startsWith(word, at))
            throw error("a value");
        at += word.length();
        return value;
    }

    private Json object() {
        Json.Obj object = Json.object();
        need('{');
        if (take('}'))
            return object;
        do {
            if (peek() != '"')
                throw error("a name");
            String name = string();
            need(':');
            if (object.get(name) != null)
                throw new JsonException("the name " + name + " is there twice");
            object.put(name, value());
        } while (take(','));
        need('}');
        return object;
    }

    private Json array() {
        Json.Array array = Json.array();
        need('[');
        if (take(']'))
            return array;
        do
            array.add(value());
        while (take(','));
        need(']');
        return array;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; ; at++) {
            if (at >= text.length())
                throw error("'\"'");
            char c = text.charAt(at);
            if (c == '"')
                break;
            if (c < ' ')
                throw error("no control character");
            out.append(c == '\\' ? escape() : c);
        }
        at++;
        return out.toString();
    }

    private char escape() {
        at++;
        char c = at < text.length() ? text.charAt(at) : 0;
        switch (c) {
            case '"':
            case '\\':
            case '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return hex();
            default:
                throw error("an escape");
        }
    }

    private char hex() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            at++;
            int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
            if (digit < 0)
                throw error("a hexadecimal digit");
            value = value * 16 + digit;
        }
        return (char) value;
    }

    private boolean digits() {
        int begin = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9')
            at++;
        return at > begin;
    }

    private Json number() {
        int begin = at;
        if (text.charAt(at) == '-')
            at++;
        boolean zero = at < text.length() && text.charAt(at) == '0';
        int first = at;
        if (!digits() || (zero && at > first + 1)) {
            at = begin;
            throw error("a value");
        }
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            if (!digits())
                throw error("a digit");
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-'))
                at++;
            if (!digits())
                throw error("a digit");
        }
        return Json.of(new BigDecimal(text.substring(begin, at)));
    }
}
