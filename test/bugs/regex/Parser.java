package regex;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Patterns as text.
 *
 * <pre>
 * choice    sequence { | sequence }
 * sequence  { atom [ * | + | ? | {n} | {n,} | {n,m} ] [ ? ] }
 * atom      character | . | ^ | $ | \d \w \s \D \W \S \b \B \1 | [set] | ( choice ) | (?: choice ) | (?NAME choice )
 * </pre>
 */
final class Parser {
    private static final int MOST_TIMES = 1000;
    private final String pattern;
    private final Map<String, Integer> names = new HashMap<>();
    private int at;
    private int groups;

    Parser(String pattern) {
        this.pattern = pattern;
    }

    int groups() {
        return groups;
    }

    Map<String, Integer> names() {
        return names;
    }

    Syntax parse() {
        Syntax syntax = choice();
        if (at < pattern.length())
            throw error("a ) that closes nothing");
        return syntax;
    }

    private PatternError error(String message) {
        return new PatternError(pattern, at, message);
    }

    private boolean more() {
        return at < pattern.length();
    }

    private boolean take(char c) {
        if (!more() || pattern.charAt(at) != c)
            return false;
        at++;
        return true;
    }

    private char next() {
        if (!more())
            throw error("it ends too early");
        return pattern.charAt(at++);
    }

    private Syntax choice() {
        List<Syntax> ways = new ArrayList<>();
        do
            ways.add(sequence());
        while (take('|'));
        return ways.size() == 1 ? ways.get(0) : new Syntax.Choice(ways);
    }

    private Syntax sequence() {
        List<Syntax> parts = new ArrayList<>();
        while (more() && pattern.charAt(at) != '|' && pattern.charAt(at) != ')')
            parts.add(repeated(atom()));
        return parts.size() == 1 ? parts.get(0) : new Syntax.Sequence(parts);
    }

    private Syntax repeated(Syntax of) {
        Syntax result = of;
        while (more()) {
            int least;
            int most = Syntax.Repeat.ENDLESS;
            if (take('*')) {
                least = 0;
            } else if (take('+')) {
                least = 1;
            } else if (take('?')) {
                least = 0;
                most = 1;
            } else if (take('{')) {
                least = count();
                if (!take(','))
                    most = least;
                else if (more() && pattern.charAt(at) != '}')
                    most = count();
                if (!take('}'))
                    throw error("} is missing");
                if (most < least)
                    throw error("the wrong order");
            } else {
                break;
            }
            result = new Syntax.Repeat(result, least, most, !take('?'));
        }
        return result;
    }

    private int count() {
        int begin = at;
        int count = 0;
        while (more() && Character.isDigit(pattern.charAt(at))) {
            count = count * 10 + next() - '0';
            if (count > MOST_TIMES)
                throw error("too many times");
        }
        if (at == begin)
            throw error("a number is missing");
        return count;
    }

    private Syntax atom() {
        char c = next();
        switch (c) {
            case '.':
                return new Syntax.OneOf(CharSet.NOT_NEWLINE);
            case '^':
                return new Syntax.Anchor(Syntax.Anchor.Kind.BEGIN);
            case '$':
                return new Syntax.Anchor(Syntax.Anchor.Kind.END);
            case '(':
                return group();
            case '[':
                return new Syntax.OneOf(set());
            case '\\':
                return escape();
            case '*':
            case '+':
            case '?':
                at--;
                throw error("nothing to repeat");
            default:
                return new Syntax.Literal(c);
        }
    }

    private Syntax group() {
        Syntax inner;
        if (take('?')) {
            if (take(':')) {
                inner = choice();
            } else {
                String name = name();
                int number = ++groups;
                names.put(name, number);
                inner = new Syntax.Group(choice(), number);
            }
        } else {
            int number = ++groups;
            inner = new Syntax.Group(choice(), number);
        }
        if (!take(')'))
            throw error(") is missing");
        return inner;
    }

    private String name() {
        if (!take('<'))
            throw error("< is missing");
        int begin = at;
        while (next() != '>')
            continue;
        return pattern.substring(begin, at - 1);
    }

    private static CharSet classOf(char c) {
        switch (c) {
            case 'd':
                return CharSet.DIGITS;
            case 's':
                return CharSet.SPACES;
            case 'w':
                return CharSet.WORD;
            case 'D':
                return CharSet.DIGITS.complement();
            case 'S':
                return CharSet.SPACES.complement();
            case 'W':
                return CharSet.WORD.complement();
            default:
                return null;
        }
    }

    private static char plain(char c) {
        switch (c) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            default:
                return c;
        }
    }

    private Syntax escape() {
        char c = next();
        CharSet set = classOf(c);
        if (set != null)
            return new Syntax.OneOf(set);
        if (c == 'b' || c == 'B')
            return new Syntax.Anchor(c == 'b' ? Syntax.Anchor.Kind.WORD : Syntax.Anchor.Kind.NO_WORD);
        if (c >= '1' && c <= '9') {
            if (c - '0' > groups)
                throw error("there is no group " + c);
            return new Syntax.Back(c - '0');
        }
        return new Syntax.Literal(plain(c));
    }

    private CharSet set() {
        CharSet set = new CharSet();
        boolean not = take('^');
        boolean first = true;
        while (first || !take(']')) {
            first = false;
            char from = next();
            if (from == '\\') {
                from = next();
                CharSet known = classOf(from);
                if (known != null) {
                    set.addAll(known);
                    continue;
                }
                from = plain(from);
            }
            char to = from;
            if (at + 1 < pattern.length() && pattern.charAt(at) == '-' && pattern.charAt(at + 1) != ']') {
                at++;
                to = next();
                if (to == '\\')
                    to = plain(next());
                if (to < from)
                    throw error("the wrong order");
            }
            set.add(from, to);
        }
        return not ? set.complement() : set;
    }
}
