package versions;

import java.util.ArrayList;
import java.util.List;

/** A difference as text, with lines around it, and back: the form of `diff -u`. */
final class Patch {
    private static final int AROUND = 3;

    private Patch() {}

    static final class Hunk {
        final int oldLine; // from 0
        final int newLine;
        int oldCount;
        int newCount;
        final List<String> lines = new ArrayList<>(); // with ' ', '-', '+' in front

        Hunk(int oldLine, int newLine) {
            this.oldLine = oldLine;
            this.newLine = newLine;
        }

        void add(char mark, String line) {
            lines.add(mark + line);
            if (mark != '+')
                oldCount++;
            if (mark != '-')
                newCount++;
        }

        String head() {
            return "@@ -" + position(oldLine, oldCount) + " +" + position(newLine, newCount) + " @@";
        }

        private static String position(int line, int count) {
            int first = count == 0 ? line : line + 1;
            return count == 1 ? "" + first : first + "," + count;
        }
    }

    static List<Hunk> hunks(List<String> a, List<String> b) {
        List<Edit> edits = Diff.of(a, b);
        List<Hunk> hunks = new ArrayList<>();
        Hunk hunk = null;
        for (int i = 0; i < edits.size(); i++) {
            Edit e = edits.get(i);
            if (e.kind() != Edit.Kind.SAME) {
                if (hunk == null) {
                    hunk = new Hunk(e.oldLine(), e.newLine());
                    hunks.add(hunk);
                }
                for (int n = 0; n < e.count(); n++)
                    hunk.add(e.kind() == Edit.Kind.ADDED ? '+' : '-',
                            e.kind() == Edit.Kind.ADDED ? b.get(e.newLine() + n) : a.get(e.oldLine() + n));
                continue;
            }
            boolean first = i == 0;
            boolean last = i == edits.size() - 1;
            if (hunk != null && !last && e.count() <= 2 * AROUND) {
                for (int n = 0; n < e.count(); n++)
                    hunk.add(' ', a.get(e.oldLine() + n));
                continue;
            }
            if (!first)
                for (int n = 0; n < Math.min(AROUND, e.count()); n++)
                    hunk.add(' ', a.get(e.oldLine() + n));
            hunk = null;
            if (last)
                continue;
            int shown = Math.min(AROUND, e.count());
            hunk = new Hunk(e.oldEnd() - shown, e.newEnd() - shown);
            hunks.add(hunk);
            for (int n = e.count() - shown; n < e.count(); n++)
                hunk.add(' ', a.get(e.oldLine() + n));
        }
        return hunks;
    }

    static String text(List<String> a, List<String> b) {
        StringBuilder out = new StringBuilder();
        for (Hunk hunk : hunks(a, b)) {
            out.append(hunk.head()).append('\n');
            for (String line : hunk.lines)
                out.append(line).append('\n');
        }
        return out.toString();
    }

    static List<Hunk> parse(String text) {
        List<Hunk> hunks = new ArrayList<>();
        Hunk hunk = null;
        for (String line : text.split("\n")) {
            if (line.startsWith("@@")) {
                String[] words = line.split(" ");
                hunk = new Hunk(firstOf(words[1]), firstOf(words[2]));
                hunks.add(hunk);
            } else if (hunk != null && !line.isEmpty() && " -+".indexOf(line.charAt(0)) >= 0) {
                hunk.add(line.charAt(0), line.substring(1));
            } else {
                throw new IllegalArgumentException("not of a patch: " + line);
            }
        }
        return hunks;
    }

    /** "-12,3": 11. Where nothing is, the line before it is named. */
    private static int firstOf(String position) {
        String[] parts = position.substring(1).split(",");
        int line = Integer.parseInt(parts[0]);
        return parts.length == 2 && parts[1].equals("0") ? line : line - 1;
    }

    /** Applies the hunks to a text, which may have moved since. */
    static List<String> apply(List<String> text, List<Hunk> hunks) {
        List<String> result = new ArrayList<>(text);
        int moved = 0; // lines that hunks so far have added
        for (Hunk hunk : hunks) {
            List<String> before = side(hunk, '+');
            List<String> after = side(hunk, '-');
            int at = find(result, before, hunk.oldLine + moved);
            if (at < 0)
                throw new IllegalArgumentException("it does not fit: " + hunk.head());
            for (int i = 0; i < before.size(); i++)
                result.remove(at);
            result.addAll(at, after);
            // repair wrong-sign: moved = at - hunk.oldLine + after.size() - before.size();
            moved = at - hunk.oldLine + before.size() - after.size();
        }
        return result;
    }

    private static List<String> side(Hunk hunk, char without) {
        List<String> lines = new ArrayList<>();
        for (String line : hunk.lines)
            if (line.charAt(0) != without)
                lines.add(line.substring(1));
        return lines;
    }

    /** Where the lines stand, as near to `wanted` as can be; -1: nowhere. */
    private static int find(List<String> text, List<String> lines, int wanted) {
        for (int away = 0; away <= text.size(); away++) {
            if (isAt(text, lines, wanted + away))
                return wanted + away;
            if (isAt(text, lines, wanted - away))
                return wanted - away;
        }
        return -1;
    }

    private static boolean isAt(List<String> text, List<String> lines, int at) {
        return at >= 0 && at + lines.size() <= text.size() && text.subList(at, at + lines.size()).equals(lines);
    }
}
