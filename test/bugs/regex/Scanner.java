package regex;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes a text apart by rules: of those that match the longest one holds, of equal ones the first. */
final class Scanner {
    record Piece(String rule, String text, int line) {
        @Override
        public String toString() {
            return rule + "(" + text + ")";
        }
    }

    private final Map<String, Pattern> rules = new LinkedHashMap<>();
    private final List<String> silent = new ArrayList<>();

    Scanner rule(String name, String pattern) {
        rules.put(name, Pattern.of("^(?:" + pattern + ")"));
        return this;
    }

    /** A rule whose pieces are left out. */
    Scanner skip(String name, String pattern) {
        silent.add(name);
        return rule(name, pattern);
    }

    List<Piece> scan(String text) {
        List<Piece> pieces = new ArrayList<>();
        int line = 1;
        for (String rest = text; !rest.isEmpty();) {
            String name = null;
            Match longest = null;
            for (Map.Entry<String, Pattern> rule : rules.entrySet()) {
                Match match = rule.getValue().find(rest);
                if (match == null || match.end() == 0 || (longest != null && match.end() <= longest.end()))
                    continue;
                longest = match;
                name = rule.getKey();
            }
            if (longest == null)
                throw new IllegalArgumentException("line " + line + ": what is " + rest.charAt(0) + "?");
            String piece = longest.group(0);
            if (!silent.contains(name))
                pieces.add(new Piece(name, piece, line));
            line += lines(piece);
            rest = rest.substring(piece.length());
        }
        return pieces;
    }

    private static int lines(String text) {
        int lines = 0;
        for (int i = 0; i < text.length(); i++)
            if (text.charAt(i) == '\n')
                lines++;
        return lines;
    }
}
