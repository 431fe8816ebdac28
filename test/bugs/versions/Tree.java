package versions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Files by path, at one moment. It does not change. */
final class Tree {
    static final Tree EMPTY = new Tree(Map.of());
    private final Map<String, List<String>> files;

    private Tree(Map<String, List<String>> files) {
        this.files = files;
    }

    static String checked(String path) {
        if (path.isEmpty() || path.startsWith("/") || path.endsWith("/") || path.contains("//")
                || path.contains(".."))
            throw new IllegalArgumentException("not a path: " + path);
        return path;
    }

    Tree with(String path, List<String> lines) {
        Map<String, List<String>> copy = new TreeMap<>(files);
        copy.put(checked(path), List.copyOf(lines));
        return new Tree(copy);
    }

    Tree without(String path) {
        Map<String, List<String>> copy = new TreeMap<>(files);
        if (copy.remove(path) == null)
            throw new IllegalArgumentException("there is no " + path);
        return new Tree(copy);
    }

    /** null: there is none. */
    List<String> get(String path) {
        return files.get(path);
    }

    Set<String> paths() {
        return files.keySet();
    }

    String name() {
        Hash hash = new Hash();
        for (Map.Entry<String, List<String>> entry : files.entrySet())
            hash.add(entry.getKey()).add(new Hash().add(entry.getValue()).name());
        return hash.name();
    }

    /** Names of files that are not the same in both, with A, D or M in front. */
    List<String> changes(Tree to) {
        Set<String> all = new TreeSet<>(paths());
        all.addAll(to.paths());
        List<String> changes = new ArrayList<>();
        for (String path : all) {
            List<String> before = get(path);
            List<String> after = to.get(path);
            if (before == null)
                changes.add("A " + path);
            else if (after == null)
                changes.add("D " + path);
            else if (!before.equals(after))
                changes.add("M " + path);
        }
        return changes;
    }
}
