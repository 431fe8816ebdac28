package regex;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A pattern that is ready to be used. */
final class Pattern {
    private final String source;
    private final Program program;
    private final int groups;
    private final Map<String, Integer> names;

    private Pattern(String source, boolean ignoreCase) {
        Parser parser = new Parser(source);
        Syntax syntax = parser.parse();
        this.source = source;
        this.program = Compiler.compile(syntax, ignoreCase);
        this.groups = parser.groups();
        this.names = parser.names();
    }

    static Pattern of(String source) {
        return new Pattern(source, false);
    }

    static Pattern ignoringCase(String source) {
        return new Pattern(source, true);
    }

    Program program() {
        return program;
    }

    /** The first match that begins at `from` or behind it; null: none. */
    Match find(String text, int from) {
        Machine machine = new Machine(program, text, groups);
        for (int start = from; start <= text.length(); start++) {
            int[] found = machine.match(start);
            if (found != null)
                return new Match(text, found, names);
        }
        return null;
    }

    Match find(String text) {
        return find(text, 0);
    }

    boolean matches(String text) {
        return of("^(?:" + source + ")$").find(text) != null;
    }

    List<Match> findAll(String text) {
        List<Match> all = new ArrayList<>();
        for (int from = 0; from <= text.length();) {
            Match match = find(text, from);
            if (match == null)
                break;
            all.add(match);
            from = match.end() > match.begin() ? match.end() : match.end() + 1;
        }
        return all;
    }

    String replace(String text, Function<Match, String> by) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        for (Match match : findAll(text)) {
            out.append(text, from, match.begin()).append(by.apply(match));
            from = match.end();
        }
        return out.append(text.substring(from)).toString();
    }

    /** $1 stands for a group, $$ for a dollar sign. */
    String replace(String text, String by) {
        return replace(text, match -> {
            StringBuilder out = new StringBuilder();
            for (int i = 0; i < by.length(); i++) {
                char c = by.charAt(i);
                if (c != '$' || i + 1 == by.length()) {
                    out.append(c);
                    continue;
                }
                char next = by.charAt(++i);
                String group = Character.isDigit(next) ? match.group(next - '0') : String.valueOf(next);
                out.append(group != null ? group : "");
            }
            return out.toString();
        });
    }

    List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (Match match : findAll(text)) {
            if (match.end() == match.begin())
                continue;
            parts.add(text.substring(from, match.begin()));
            from = match.end();
        }
        parts.add(text.substring(from));
        return parts;
    }

    @Override
    public String toString() {
        return source;
    }
}
