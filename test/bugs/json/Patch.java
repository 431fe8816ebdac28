package json;

import java.util.ArrayList;
import java.util.List;

/** Changes of a value (RFC 6902): add, remove, replace, move, copy, test. */
final class Patch {
    private static final class Change {
        final String op;
        final Pointer path;
        final Pointer from; // of move and copy
        final Json value; // of add, replace and test

        Change(String op, Pointer path, Pointer from, Json value) {
            this.op = op;
            this.path = path;
            this.from = from;
            this.value = value;
        }
    }

    private final List<Change> changes = new ArrayList<>();

    static Patch of(Json json) {
        Patch patch = new Patch();
        for (Json item : json.asArray().items()) {
            Json.Obj o = item.asObject();
            String op = member(o, "op").text();
            Pointer path = Pointer.parse(member(o, "path").text());
            switch (op) {
                case "add":
                case "replace":
                case "test":
                    patch.changes.add(new Change(op, path, null, member(o, "value")));
                    break;
                case "remove":
                    patch.changes.add(new Change(op, path, null, null));
                    break;
                case "move":
                case "copy":
                    patch.changes.add(new Change(op, path, Pointer.parse(member(o, "from").text()), null));
                    break;
                default:
                    throw new JsonException("no such change: " + op);
            }
        }
        return patch;
    }

    private static Json member(Json.Obj o, String name) {
        Json value = o.get(name);
        if (value == null)
            throw new JsonException(name + " is missing in " + o);
        return value;
    }

    int size() {
        return changes.size();
    }

    Patch add(String op, Pointer path, Json value) {
        changes.add(new Change(op, path, null, value));
        return this;
    }

    /** All changes or none: the value stays as it is. */
    Json apply(Json to) {
        Json result = to.copy();
        for (Change c : changes)
            result = apply(result, c);
        return result;
    }

    private static Json apply(Json root, Change c) {
        switch (c.op) {
            case "add":
                return put(root, c.path, c.value.copy(), true);
            case "replace":
                c.path.get(root);
                return put(root, c.path, c.value.copy(), false);
            case "remove":
                return remove(root, c.path);
            case "test":
                if (!c.value.equals(c.path.find(root)))
                    throw new JsonException(c.path + " is " + c.path.find(root) + ", not " + c.value);
                return root;
            case "copy":
                return put(root, c.path, c.from.get(root).copy(), true);
            default:
                if (c.path.isInside(c.from))
                    throw new JsonException(c.from + " cannot go into itself");
                Json moved = c.from.get(root);
                return put(remove(root, c.from), c.path, moved, true);
        }
    }

    private static Json put(Json root, Pointer path, Json value, boolean inserts) {
        if (path.isRoot())
            return value;
        Json parent = path.parent().get(root);
        if (parent.type() == Json.Type.OBJECT) {
            parent.asObject().put(path.last(), value);
            return root;
        }
        List<Json> items = parent.asArray().items();
        int index = Pointer.index(path.last(), items.size());
        if (index > items.size() || (!inserts && index == items.size()))
            throw new JsonException("nothing is at " + path);
        if (inserts)
            items.add(index, value);
        else
            items.set(index, value);
        return root;
    }

    private static Json remove(Json root, Pointer path) {
        path.get(root);
        if (path.isRoot())
            return Json.NULL;
        Json parent = path.parent().get(root);
        if (parent.type() == Json.Type.OBJECT)
            parent.asObject().members().remove(path.last());
        else
            parent.asArray().items().remove(Pointer.index(path.last(), parent.asArray().size()));
        return root;
    }

    Json toJson() {
        Json.Array all = Json.array();
        for (Change c : changes) {
            Json.Obj o = Json.object().put("op", Json.of(c.op)).put("path", Json.of(c.path.toString()));
            if (c.from != null)
                o.put("from", Json.of(c.from.toString()));
            if (c.value != null)
                o.put("value", c.value);
            all.add(o);
        }
        return all;
    }
}
