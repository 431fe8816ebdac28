package versions;

import java.util.List;

/** A state of the files, and those it came from. */
final class Commit {
    private final Tree tree;
    private final List<Commit> parents;
    private final String message;
    private final String author;
    private final long time;
    private final String name;

    Commit(Tree tree, List<Commit> parents, String author, String message, long time) {
        this.tree = tree;
        this.parents = List.copyOf(parents);
        this.author = author;
        this.message = message;
        this.time = time;
        Hash hash = new Hash().add(tree.name()).add(author).add(message).add(Long.toString(time));
        for (Commit parent : parents)
            hash.add(parent.name);
        this.name = hash.name();
    }

    Tree tree() {
        return tree;
    }

    List<Commit> parents() {
        return parents;
    }

    String message() {
        return message;
    }

    String author() {
        return author;
    }

    long time() {
        return time;
    }

    String name() {
        return name;
    }

    boolean isMerge() {
        return parents.size() > 1;
    }

    @Override
    public String toString() {
        return name.substring(0, 8) + " " + message;
    }
}
