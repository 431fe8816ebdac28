package json;

import java.util.Map;

/** A value with some members replaced (RFC 7396): null removes. */
final class Merge {
    private Merge() {}

    static Json apply(Json to, Json patch) {
        if (patch.type() != Json.Type.OBJECT)
            return patch.copy();
        Json.Obj result = to != null && to.type() == Json.Type.OBJECT ? to.copy().asObject() : Json.object();
        for (Map.Entry<String, Json> member : patch.asObject().members().entrySet()) {
            if (member.getValue() == Json.NULL)
                result.members().remove(member.getKey());
            else
                result.put(member.getKey(), apply(result.get(member.getKey()), member.getValue()));
        }
        return result;
    }
}
