package formatter;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines of a width. */
final class Wrapper {
    private final int width;
    private final boolean justified;
    private final Hyphenator hyphenator; // null: words stay whole

    Wrapper(int width, boolean justified, Hyphenator hyphenator) {
        if (width < 8)
            throw new IllegalArgumentException("too narrow: " + width);
        this.width = width;
        this.justified = justified;
        this.hyphenator = hyphenator;
    }

    Wrapper narrower(int by) {
        return new Wrapper(Math.max(8, width - by), justified, hyphenator);
    }

    int width() {
        return width;
    }

    List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        List<String> words = new ArrayList<>();
        int length = 0; // of the words, with one space between them
        for (String next : text.trim().split("\\s+")) {
            String word = next;
            while (!fits(length, word)) {
                int room = width - length - (words.isEmpty() ? 0 : 1);
                String begin = hyphenator != null ? hyphenator.begin(word, room) : null;
                if (begin == null && words.isEmpty())
                    begin = word.substring(0, width);
                if (begin != null) {
                    words.add(begin);
                    word = word.substring(begin.endsWith("-") ? begin.length() - 1 : begin.length());
                }
                lines.add(line(words, false));
                words.clear();
                length = 0;
            }
            length += word.length() + (words.isEmpty() ? 0 : 1);
            words.add(word);
        }
        if (!words.isEmpty())
            lines.add(line(words, true));
        return lines;
    }

    private boolean fits(int length, String word) {
        return length == 0 ? word.length() <= width : length + 1 + word.length() <= width;
    }

    private String line(List<String> words, boolean last) {
        if (!justified || last || words.size() == 1)
            return String.join(" ", words);
        return spread(words);
    }

    /** The line is filled: the gaps on the left are wider by one if they cannot be equal. */
    private String spread(List<String> words) {
        int letters = 0;
        for (String word : words)
            letters += word.length();
        int gaps = words.size() - 1;
        int spaces = width - letters;
        StringBuilder line = new StringBuilder(words.get(0));
        for (int i = 1; i <= gaps; i++) {
            // repair wrong-condition: int gap = spaces / gaps + (i <= spaces % gaps ? 1 : 0);
            int gap = spaces / gaps + (i < spaces % gaps ? 1 : 0);
            line.append(" ".repeat(gap)).append(words.get(i));
        }
        return line.toString();
    }
}
