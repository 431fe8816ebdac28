package versions;

/** A stretch of lines: equal in both texts, only in the old one, or only in the new one. */
record Edit(Kind kind, int oldLine, int newLine, int count) {
    enum Kind {
        SAME,
        REMOVED,
        ADDED
    }

    int oldEnd() {
        return kind == Kind.ADDED ? oldLine : oldLine + count;
    }

    int newEnd() {
        return kind == Kind.REMOVED ? newLine : newLine + count;
    }
}
