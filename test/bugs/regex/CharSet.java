package regex;

import java.util.ArrayList;
import java.util.List;

/** Characters as ranges that rise and do not touch each other. */
final class CharSet {
    static final CharSet DIGITS = new CharSet().add('0', '9');
    static final CharSet SPACES = new CharSet().add('\t', '\r').add(' ', ' ');
    static final CharSet WORD = new CharSet().add('0', '9').add('A', 'Z').add('_', '_').add('a', 'z');
    static final CharSet NOT_NEWLINE = new CharSet().add('\n', '\n').complement();

    private record Span(char from, char to) {}

    private final List<Span> spans = new ArrayList<>();

    CharSet add(char from, char to) {
        if (from > to)
            throw new IllegalArgumentException(from + "-" + to);
        int i = 0;
        while (i < spans.size() && spans.get(i).to() + 1 < from)
            i++;
        char low = from;
        char high = to;
        while (i < spans.size() && spans.get(i).from() <= high + 1) {
            low = (char) Math.min(low, spans.get(i).from());
            high = (char) Math.max(high, spans.get(i).to());
            spans.remove(i);
        }
        spans.add(i, new Span(low, high));
        return this;
    }

    CharSet addAll(CharSet other) {
        for (Span span : other.spans)
            add(span.from(), span.to());
        return this;
    }

    CharSet complement() {
        CharSet result = new CharSet();
        int next = 0;
        for (Span span : spans) {
            if (span.from() > next)
                result.add((char) next, (char) (span.from() - 1));
            next = span.to() + 1;
        }
        if (next <= Character.MAX_VALUE)
            result.add((char) next, Character.MAX_VALUE);
        return result;
    }

    /** With both cases of each letter. */
    CharSet ignoringCase() {
        CharSet result = new CharSet().addAll(this);
        for (char c = 'a'; c <= 'z'; c++) {
            char upper = Character.toUpperCase(c);
            if (has(c))
                result.add(upper, upper);
            if (has(upper))
                result.add(c, c);
        }
        return result;
    }

    boolean has(char c) {
        int low = 0;
        int high = spans.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Span span = spans.get(middle);
            if (c < span.from())
                high = middle - 1;
            else if (c > span.to())
                low = middle + 1;
            else
                return true;
        }
        return false;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (Span span : spans) {
            text.append(span.from());
            if (span.to() > span.from())
                text.append('-').append(span.to());
        }
        return text.append(']').toString();
    }
}
