package versions;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** Questions about commits and those before them. */
final class History {
    private History() {}

    /** The commit and all before it. */
    static Set<Commit> ancestors(Commit of) {
        Set<Commit> seen = new LinkedHashSet<>();
        Deque<Commit> open = new ArrayDeque<>();
        open.add(of);
        while (!open.isEmpty()) {
            Commit c = open.poll();
            if (seen.add(c))
                open.addAll(c.parents());
        }
        return seen;
    }

    static boolean isBefore(Commit a, Commit b) {
        return ancestors(b).contains(a);
    }

    /** The newest commit that both come from; null: there is none. */
    static Commit base(Commit a, Commit b) {
        Set<Commit> ofA = ancestors(a);
        Commit found = null;
        for (Commit c : ancestors(b)) {
            if (!ofA.contains(c))
                continue;
            if (found == null || isBefore(found, c) || (!isBefore(c, found) && c.time() > found.time()))
                found = c;
        }
        return found;
    }

    /** Newest first, but each commit before its parents. */
    static List<Commit> log(Commit from) {
        List<Commit> log = new ArrayList<>();
        Set<Commit> seen = new HashSet<>();
        Comparator<Commit> newest = Comparator.comparingLong(Commit::time).reversed();
        PriorityQueue<Commit> open = new PriorityQueue<>(newest.thenComparing(Commit::name));
        open.add(from);
        seen.add(from);
        while (!open.isEmpty()) {
            Commit c = open.poll();
            log.add(c);
            for (Commit parent : c.parents())
                if (seen.add(parent))
                    open.add(parent);
        }
        return log;
    }

    /** Commits that changed a file. */
    static List<Commit> log(Commit from, String path) {
        List<Commit> log = new ArrayList<>();
        for (Commit c : log(from)) {
            List<String> lines = c.tree().get(path);
            boolean same = false;
            for (Commit parent : c.parents()) {
                List<String> before = parent.tree().get(path);
                same |= lines == null ? before == null : lines.equals(before);
            }
            if (!same && (lines != null || !c.parents().isEmpty()))
                log.add(c);
        }
        return log;
    }

    /** Of each line of a file, the commit that it came with. */
    static List<Commit> blame(Commit at, String path) {
        List<String> lines = at.tree().get(path);
        if (lines == null)
            throw new IllegalArgumentException("there is no " + path);
        List<Commit> blame = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++)
            blame.add(at);
        for (Commit parent : at.parents()) {
            List<String> before = parent.tree().get(path);
            if (before == null)
                continue;
            List<Commit> earlier = blame(parent, path);
            for (Edit e : Diff.of(before, lines))
                for (int n = 0; e.kind() == Edit.Kind.SAME && n < e.count(); n++)
                    if (blame.get(e.newLine() + n) == at)
                        blame.set(e.newLine() + n, earlier.get(e.oldLine() + n));
        }
        return blame;
    }
}
