package json;

/** The changes from one value to another. */
final class Diff {
    private final Patch patch = new Patch();

    private Diff() {}

    static Patch of(Json from, Json to) {
        Diff diff = new Diff();
        diff.compare(Pointer.ROOT, from, to);
        return diff.patch;
    }

    private void compare(Pointer at, Json from, Json to) {
        if (from.equals(to))
            return;
        if (from.type() == Json.Type.OBJECT && to.type() == Json.Type.OBJECT)
            compareMembers(at, from.asObject(), to.asObject());
        else if (from.type() == Json.Type.ARRAY && to.type() == Json.Type.ARRAY)
            compareItems(at, from.asArray(), to.asArray());
        else
            patch.add("replace", at, to);
    }

    private void compareMembers(Pointer at, Json.Obj from, Json.Obj to) {
        for (String name : from.members().keySet())
            if (to.get(name) == null)
                patch.add("remove", at.with(name), null);
        for (String name : to.members().keySet()) {
            Json before = from.get(name);
            if (before == null)
                patch.add("add", at.with(name), to.get(name));
            else
                compare(at.with(name), before, to.get(name));
        }
    }

    /** What is equal at both ends stays; in between items are changed one by one. */
    private void compareItems(Pointer at, Json.Array from, Json.Array to) {
        int begin = 0;
        int fromEnd = from.size();
        int toEnd = to.size();
        while (begin < fromEnd && begin < toEnd && from.get(begin).equals(to.get(begin)))
            begin++;
        while (fromEnd > begin && toEnd > begin && from.get(fromEnd - 1).equals(to.get(toEnd - 1))) {
            fromEnd--;
            toEnd--;
        }
        int both = Math.min(fromEnd, toEnd);
        for (int i = begin; i < both; i++)
            compare(at.with(i), from.get(i), to.get(i));
        for (int i = fromEnd - 1; i >= both; i--)
            patch.add("remove", at.with(i), null);
        for (int i = both; i < toEnd; i++)
            patch.add("add", at.with(i), to.get(i));
    }
}
