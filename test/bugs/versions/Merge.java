package versions;

import java.util.ArrayList;
import java.util.List;

/** Joins what two sides have made of a text. */
final class Merge {
    private final List<String> result = new ArrayList<>();
    private int conflicts;

    private Merge() {}

    static Merge of(List<String> base, List<String> ours, List<String> theirs) {
        Merge merge = new Merge();
        merge.run(base, ours, theirs);
        return merge;
    }

    List<String> result() {
        return result;
    }

    int conflicts() {
        return conflicts;
    }

    /** Changed lines of the base, and what stands in their place. */
    private static final class Change {
        final int from;
        int to;
        final List<String> lines = new ArrayList<>();

        Change(int from) {
            this.from = from;
            this.to = from;
        }
    }

    private static List<Change> changes(List<String> base, List<String> side) {
        List<Change> changes = new ArrayList<>();
        Change change = null;
        for (Edit e : Diff.of(base, side)) {
            if (e.kind() == Edit.Kind.SAME) {
                change = null;
                continue;
            }
            if (change == null) {
                change = new Change(e.oldLine());
                changes.add(change);
            }
            if (e.kind() == Edit.Kind.REMOVED)
                change.to += e.count();
            else
                change.lines.addAll(side.subList(e.newLine(), e.newEnd()));
        }
        return changes;
    }

    private void run(List<String> base, List<String> ours, List<String> theirs) {
        List<Change> left = changes(base, ours);
        List<Change> right = changes(base, theirs);
        int l = 0;
        int r = 0;
        int at = 0;
        while (l < left.size() || r < right.size()) {
            int begin = Math.min(start(left, l), start(right, r));
            result.addAll(base.subList(at, begin));
            int end = begin;
            int l0 = l;
            int r0 = r;
            for (boolean grows = true; grows;) {
                grows = false;
                while (l < left.size() && touches(left.get(l), begin, end)) {
                    end = Math.max(end, left.get(l++).to);
                    grows = true;
                }
                while (r < right.size() && touches(right.get(r), begin, end)) {
                    end = Math.max(end, right.get(r++).to);
                    grows = true;
                }
            }
            put(base, begin, end, left.subList(l0, l), right.subList(r0, r));
            at = end;
        }
        result.addAll(base.subList(at, base.size()));
    }

    private static int start(List<Change> changes, int i) {
        return i < changes.size() ? changes.get(i).from : Integer.MAX_VALUE;
    }

    private static boolean touches(Change c, int begin, int end) {
        return c.from == begin || c.from < end;
    }

    private void put(List<String> base, int begin, int end, List<Change> left, List<Change> right) {
        List<String> ours = applied(base, begin, end, left);
        List<String> theirs = applied(base, begin, end, right);
        List<String> before = base.subList(begin, end);
        if (theirs.equals(before) || ours.equals(theirs)) {
            result.addAll(ours);
        } else if (ours.equals(before)) {
            result.addAll(theirs);
        } else {
            conflicts++;
            result.add("<<<<<<< ours");
            result.addAll(ours);
            result.add("=======");
            result.addAll(theirs);
            result.add(">>>>>>> theirs");
        }
    }

    private static List<String> applied(List<String> base, int begin, int end, List<Change> changes) {
        List<String> lines = new ArrayList<>();
        int at = begin;
        for (Change change : changes) {
            lines.addAll(base.subList(at, change.from));
            lines.addAll(change.lines);
            at = change.to;
        }
        lines.addAll(base.subList(at, end));
        return lines;
    }
}
