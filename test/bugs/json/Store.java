package json;

import java.util.ArrayList;
import java.util.List;

/** A document that is changed by patches, each of which can be taken back. */
final class Store {
    private final Json schema; // null: anything goes
    private final List<Patch> done = new ArrayList<>();
    private final List<Patch> back = new ArrayList<>();
    private Json document;

    Store(Json document, Json schema) {
        this.document = document;
        this.schema = schema;
        check(document);
    }

    private void check(Json value) {
        List<String> problems = schema == null ? List.of() : Schema.check(schema, value);
        if (!problems.isEmpty())
            throw new JsonException(String.join("; ", problems));
    }

    Json document() {
        return document;
    }

    Json get(String pointer) {
        return Pointer.parse(pointer).get(document);
    }

    void apply(String patch) {
        apply(Patch.of(Json.parse(patch)));
    }

    void apply(Patch patch) {
        Json changed = patch.apply(document);
        check(changed);
        back.add(Diff.of(changed, document));
        done.add(patch);
        document = changed;
    }

    void merge(String patch) {
        apply(Diff.of(document, Merge.apply(document, Json.parse(patch))));
    }

    boolean undo() {
        if (back.isEmpty())
            return false;
        document = back.remove(back.size() - 1).apply(document);
        done.remove(done.size() - 1);
        return true;
    }

    /** All patches so far as one array. */
    Json log() {
        Json.Array log = Json.array();
        for (Patch patch : done)
            log.add(patch.toJson());
        return log;
    }

    /** The document again, by its first state and the log. */
    static Store replay(Json first, Json schema, Json log) {
        Store store = new Store(first, schema);
        for (Json patch : log.asArray().items())
            store.apply(Patch.of(patch));
        return store;
    }
}
