package spreadsheet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Formulas as they are typed: =SUM(A1:A3)*2.
 *
 * <pre>
 * comparison  sum { (= | <> | < | <= | > | >=) sum }
 * sum         product { (+ | - | &) product }
 * product     power { (* | /) power }
 * power       sign { ^ sign }
 * sign        [+ | -] sign | primary { % }
 * primary     number | "text" | TRUE | FALSE | cell [: cell] | NAME ( comparison { ; comparison } ) | ( comparison )
 * </pre>
 */
final class Parser {
    private final String text;
    private int at;

    private Parser(String text) {
        this.text = text;
    }

    static Formula parse(String text) {
        Parser parser = new Parser(text);
        Formula formula = parser.comparison();
        parser.skipSpace();
        if (parser.at < text.length())
            throw parser.error("nothing more");
        return formula;
    }

    static final class SyntaxError extends RuntimeException {
        SyntaxError(String message) {
            super(message);
        }
    }

    private SyntaxError error(String wanted) {
        return new SyntaxError("column " + (at + 1) + " of " + text + ": " + wanted + " is expected");
    }

    private void skipSpace() {
        while (at < text.length() && text.charAt(at) == ' ')
            at++;
    }

    private boolean take(String word) {
        skipSpace();
        if (!text.startsWith(word, at))
            return false;
        at += word.length();
        return true;
    }

    private void need(String word) {
        if (!take(word))
            throw error(word);
    }

    private String takeOne(String... words) {
        for (String word : words)
            if (take(word))
                return word;
        return null;
    }

    private Formula comparison() {
        Formula left = sum();
        for (String operator; (operator = takeOne("<>", "<=", ">=", "=", "<", ">")) != null;)
            left = new Formula.Binary(operator, left, sum());
        return left;
    }

    private Formula sum() {
        Formula left = product();
        for (String operator; (operator = takeOne("+", "-", "&")) != null;)
            left = new Formula.Binary(operator, left, product());
        return left;
    }

    private Formula product() {
        Formula left = power();
        for (String operator; (operator = takeOne("*", "/")) != null;)
            left = new Formula.Binary(operator, left, power());
        return left;
    }

    private Formula power() {
        Formula left = sign();
        while (take("^"))
            left = new Formula.Binary("^", left, sign());
        return left;
    }

    private Formula sign() {
        String operator = takeOne("+", "-");
        if (operator != null)
            return new Formula.Unary(operator.charAt(0), sign());
        Formula operand = primary();
        while (take("%"))
            operand = new Formula.Unary('%', operand);
        return operand;
    }

    private Formula primary() {
        skipSpace();
        if (at == text.length())
            throw error("a value");
        char c = text.charAt(at);
        if (take("(")) {
            Formula inner = comparison();
            need(")");
            return inner;
        }
        if (c == '"')
            return new Formula.Constant(Value.of(quoted()));
        if (Character.isDigit(c) || c == '.')
            return new Formula.Constant(Value.of(number()));
        if (Character.isLetter(c) || c == '$')
            return named();
        throw error("a value");
    }

    private String quoted() {
        StringBuilder content = new StringBuilder();
        for (at++; ; at++) {
            if (at >= text.length())
                throw error("\"");
            if (text.charAt(at) == '"') {
                if (at + 1 >= text.length() || text.charAt(at + 1) != '"')
                    break;
                at++;
            }
            content.append(text.charAt(at));
        }
        at++;
        return content.toString();
    }

    private double number() {
        int begin = at;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.'))
            at++;
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+'))
                at++;
            while (at < text.length() && Character.isDigit(text.charAt(at)))
                at++;
        }
        try {
            return Double.parseDouble(text.substring(begin, at));
        } catch (NumberFormatException e) {
            at = begin;
            throw error("a number");
        }
    }

    private String word() {
        int begin = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '$'))
            at++;
        return text.substring(begin, at);
    }

    private Formula named() {
        int begin = at;
        String word = word();
        String name = word.toUpperCase(Locale.ROOT);
        if (take("("))
            return call(name);
        if (name.equals("TRUE") || name.equals("FALSE"))
            return new Formula.Constant(Value.of(name.equals("TRUE")));
        Formula.CellOf first = cell(word);
        if (first == null) {
            at = begin;
            throw error("a cell or a function");
        }
        if (!take(":"))
            return first;
        skipSpace();
        Formula.CellOf last = cell(word());
        if (last == null)
            throw error("a cell");
        return new Formula.RangeOf(first, last);
    }

    private static Formula.CellOf cell(String word) {
        boolean fixedColumn = word.startsWith("$");
        boolean fixedRow = word.indexOf('$', 1) > 0;
        String plain = word.replace("$", "");
        return Ref.looksLikeRef(plain) ? new Formula.CellOf(Ref.parse(plain), fixedColumn, fixedRow) : null;
    }

    private Formula call(String name) {
        List<Formula> arguments = new ArrayList<>();
        if (!take(")")) {
            do
                arguments.add(comparison());
            while (takeOne(";", ",") != null);
            need(")");
        }
        if (!Functions.exists(name))
            return new Formula.Constant(Value.error("#NAME?"));
        return new Formula.Call(name, arguments);
    }
}
