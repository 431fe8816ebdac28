package json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a value must look like: some words of JSON Schema. */
final class Schema {
    private final Json root;
    private final List<String> problems = new ArrayList<>();

    private Schema(Json root) {
        this.root = root;
    }

    /** What is wrong with the value, each with its place. */
    static List<String> check(Json schema, Json value) {
        Schema s = new Schema(schema);
        s.check(schema, value, Pointer.ROOT);
        return s.problems;
    }

    private void problem(Pointer at, String text) {
        problems.add((at.isRoot() ? "/" : at) + ": " + text);
    }

    private void check(Json schema, Json value, Pointer at) {
        if (schema.type() == Json.Type.BOOLEAN) {
            if (!schema.truth())
                problem(at, "is not allowed");
            return;
        }
        Json.Obj s = schema.asObject();
        Json ref = s.get("$ref");
        if (ref != null) {
            check(Pointer.parse(ref.text().substring(1)).get(root), value, at);
            return;
        }
        checkType(s, value, at);
        checkChoice(s, value, at);
        switch (value.type()) {
            case NUMBER:
                checkNumber(s, value.number(), at);
                break;
            case STRING:
                checkText(s, value.text(), at);
                break;
            case ARRAY:
                checkArray(s, value.asArray(), at);
                break;
            case OBJECT:
                checkObject(s, value.asObject(), at);
                break;
            default:
                break;
        }
    }

    private void checkType(Json.Obj s, Json value, Pointer at) {
        Json type = s.get("type");
        if (type == null)
            return;
        List<Json> types = type.type() == Json.Type.ARRAY ? type.asArray().items() : List.of(type);
        for (Json allowed : types)
            if (isOf(value, allowed.text()))
                return;
        problem(at, "is " + value.type().name().toLowerCase(Locale.ROOT) + ", not " + type);
    }

    private static boolean isOf(Json value, String type) {
        if (type.equals("integer"))
            return value.type() == Json.Type.NUMBER && value.number().stripTrailingZeros().scale() <= 0;
        return value.type().name().toLowerCase(Locale.ROOT).equals(type);
    }

    private void checkChoice(Json.Obj s, Json value, Pointer at) {
        Json choice = s.get("enum");
        if (choice != null && !choice.asArray().items().contains(value))
            problem(at, "is " + value + ", none of " + choice);
        Json any = s.get("anyOf");
        if (any == null)
            return;
        for (Json one : any.asArray().items()) {
            Schema alone = new Schema(root);
            alone.check(one, value, at);
            if (alone.problems.isEmpty())
                return;
        }
        problem(at, "fits no way");
    }

    private void checkNumber(Json.Obj s, BigDecimal value, Pointer at) {
        Json least = s.get("minimum");
        Json most = s.get("maximum");
        Json of = s.get("multipleOf");
        if (least != null && value.compareTo(least.number()) < 0)
            problem(at, value + " is less than " + least);
        if (most != null && value.compareTo(most.number()) > 0)
            problem(at, value + " is more than " + most);
        if (of != null && value.remainder(of.number()).signum() != 0)
            problem(at, value + " is no multiple of " + of);
    }

    private void checkSize(Json.Obj s, String kind, int size, Pointer at) {
        Json least = s.get("min" + kind);
        Json most = s.get("max" + kind);
        if (least != null && size < least.number().intValue())
            problem(at, "has " + size + ", less than " + least);
        if (most != null && size > most.number().intValue())
            problem(at, "has " + size + ", more than " + most);
    }

    private void checkText(Json.Obj s, String value, Pointer at) {
        checkSize(s, "Length", value.codePointCount(0, value.length()), at);
        Json pattern = s.get("pattern");
        if (pattern != null && !java.util.regex.Pattern.compile(pattern.text()).matcher(value).find())
            problem(at, "does not match " + pattern);
    }

    private void checkArray(Json.Obj s, Json.Array value, Pointer at) {
        checkSize(s, "Items", value.size(), at);
        Json items = s.get("items");
        for (int i = 0; items != null && i < value.size(); i++)
            check(items, value.get(i), at.with(i));
        Json unique = s.get("uniqueItems");
        if (unique == null || !unique.truth())
            return;
        Set<Json> seen = new LinkedHashSet<>();
        for (int i = 0; i < value.size(); i++)
            if (!seen.add(value.get(i)))
                problem(at.with(i), "is there twice");
    }

    private void checkObject(Json.Obj s, Json.Obj value, Pointer at) {
        checkSize(s, "Properties", value.members().size(), at);
        Json required = s.get("required");
        if (required != null)
            for (Json name : required.asArray().items())
                if (value.get(name.text()) == null)
                    problem(at, name.text() + " is missing");
        Json properties = s.get("properties");
        Json others = s.get("additionalProperties");
        for (Map.Entry<String, Json> member : value.members().entrySet()) {
            Json known = properties == null ? null : properties.asObject().get(member.getKey());
            if (known != null)
                check(known, member.getValue(), at.with(member.getKey()));
            else if (others != null)
                check(others, member.getValue(), at.with(member.getKey()));
        }
    }
}
