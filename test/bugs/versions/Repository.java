package versions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Branches, and the files that are being worked on. */
final class Repository {
    private static final String MAIN = "main";
    private final Map<String, Commit> branches = new TreeMap<>();
    private final Map<String, Commit> tags = new HashMap<>();
    private String branch = MAIN;
    private Tree work = Tree.EMPTY;
    private Commit merging; // null: nothing is being merged
    private long time;

    static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : Arrays.asList(text.split("\n"));
    }

    // ---- files ----

    void write(String path, String text) {
        work = work.with(path, lines(text));
    }

    void delete(String path) {
        work = work.without(path);
    }

    String read(String path) {
        List<String> lines = work.get(path);
        return lines == null ? null : String.join("\n", lines);
    }

    List<String> status() {
        return head() == null ? Tree.EMPTY.changes(work) : head().tree().changes(work);
    }

    // ---- commits ----

    Commit head() {
        return branches.get(branch);
    }

    Commit commit(String author, String message) {
        if (status().isEmpty() && merging == null)
            throw new IllegalStateException("nothing has changed");
        for (String path : work.paths())
            if (work.get(path).contains("======="))
                throw new IllegalStateException(path + " has a conflict");
        List<Commit> parents = new ArrayList<>();
        if (head() != null)
            parents.add(head());
        if (merging != null)
            parents.add(merging);
        Commit commit = new Commit(work, parents, author, message, ++time);
        branches.put(branch, commit);
        merging = null;
        return commit;
    }

    void tag(String name) {
        if (tags.putIfAbsent(name, head()) != null)
            throw new IllegalArgumentException("there is a tag " + name);
    }

    /** A branch, a tag, the begin of a name, or one of these with ~N: the commit N steps before it. */
    Commit find(String text) {
        int tilde = text.indexOf('~');
        String name = tilde < 0 ? text : text.substring(0, tilde);
        Commit found = branches.get(name.equals("HEAD") ? branch : name);
        if (found == null)
            found = tags.get(name);
        if (found == null)
            found = byName(name);
        int steps = tilde < 0 ? 0 : tilde + 1 == text.length() ? 1 : Integer.parseInt(text.substring(tilde + 1));
        for (int i = 0; i < steps; i++) {
            if (found.parents().isEmpty())
                throw new IllegalArgumentException("there is nothing before " + found);
            found = found.parents().get(0);
        }
        return found;
    }

    private Commit byName(String begin) {
        Set<Commit> found = new TreeSet<>((a, b) -> a.name().compareTo(b.name()));
        for (Commit tip : branches.values())
            for (Commit c : History.ancestors(tip))
                if (begin.length() >= 4 && c.name().startsWith(begin))
                    found.add(c);
        if (found.size() != 1)
            throw new IllegalArgumentException((found.isEmpty() ? "nothing is named " : "more than one begins with ")
                    + begin);
        return found.iterator().next();
    }

    // ---- branches ----

    void branch(String name) {
        if (branches.containsKey(name))
            throw new IllegalArgumentException("there is a branch " + name);
        branches.put(name, head());
    }

    void checkout(String name) {
        if (!branches.containsKey(name))
            throw new IllegalArgumentException("there is no branch " + name);
        if (!status().isEmpty())
            throw new IllegalStateException("there are changes that would be lost");
        branch = name;
        work = head().tree();
    }

    /** Joins another branch into this one. Returns the paths that have conflicts. */
    List<String> merge(String name) {
        Commit theirs = find(name);
        if (!status().isEmpty())
            throw new IllegalStateException("there are changes that would be lost");
        if (History.isBefore(theirs, head()))
            return List.of();
        if (History.isBefore(head(), theirs)) {
            branches.put(branch, theirs);
            work = theirs.tree();
            return List.of();
        }
        Commit base = History.base(head(), theirs);
        List<String> conflicts = mergeTrees(base != null ? base.tree() : Tree.EMPTY, head().tree(), theirs.tree());
        merging = theirs;
        if (conflicts.isEmpty())
            commit("merge", "merge " + name);
        return conflicts;
    }

    private List<String> mergeTrees(Tree base, Tree ours, Tree theirs) {
        Set<String> paths = new TreeSet<>(ours.paths());
        paths.addAll(theirs.paths());
        List<String> conflicts = new ArrayList<>();
        for (String path : paths) {
            List<String> b = base.get(path);
            List<String> o = ours.get(path);
            List<String> t = theirs.get(path);
            if (o == null || t == null) {
                List<String> left = o == null ? t : o;
                boolean changed = b == null || !b.equals(left);
                if (changed && b != null)
                    conflicts.add(path);
                if (changed)
                    work = work.with(path, left);
                else if (work.get(path) != null)
                    work = work.without(path);
                continue;
            }
            Merge merge = Merge.of(b == null ? List.of() : b, o, t);
            work = work.with(path, merge.result());
            if (merge.conflicts() > 0)
                conflicts.add(path);
        }
        return conflicts;
    }

    // ---- questions ----

    String diff(String from, String to) {
        Tree a = find(from).tree();
        Tree b = find(to).tree();
        StringBuilder out = new StringBuilder();
        for (String change : a.changes(b)) {
            String path = change.substring(2);
            List<String> before = a.get(path);
            List<String> after = b.get(path);
            out.append("--- ").append(before == null ? "nothing" : path).append('\n');
            out.append("+++ ").append(after == null ? "nothing" : path).append('\n');
            out.append(Patch.text(before == null ? List.of() : before, after == null ? List.of() : after));
        }
        return out.toString();
    }

    /** Does here what another commit did. */
    void pick(String name, String author) {
        Commit commit = find(name);
        if (commit.isMerge() || commit.parents().isEmpty())
            throw new IllegalArgumentException(commit + " is no single change");
        Tree before = commit.parents().get(0).tree();
        for (String change : before.changes(commit.tree())) {
            String path = change.substring(2);
            List<String> mine = work.get(path);
            if (change.startsWith("D "))
                work = work.without(path);
            else if (change.startsWith("A ") || mine == null)
                work = work.with(path, commit.tree().get(path));
            else
                work = work.with(path,
                        Patch.apply(mine, Patch.hunks(before.get(path), commit.tree().get(path))));
        }
        commit(author, commit.message());
    }
}
