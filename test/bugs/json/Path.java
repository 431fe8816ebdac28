package json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Places of a value by a pattern: items[*].price, items[0], **.name, items[price>300].name. */
final class Path {
    private interface Step {
        void apply(Pointer at, Json of, List<Found> to);
    }

    record Found(Pointer at, Json value) {}

    private final List<Step> steps = new ArrayList<>();
    private final String text;
    private int pos;

    private Path(String text) {
        this.text = text;
    }

    static Path parse(String text) {
        Path path = new Path(text);
        while (path.pos < text.length())
            path.steps.add(path.step());
        return path;
    }

    private JsonException error() {
        return new JsonException("column " + (pos + 1) + " of " + text + " is not understood");
    }

    private Step step() {
        if (text.charAt(pos) == '[')
            return brackets();
        if (pos > 0 && text.charAt(pos++) != '.')
            throw error();
        int begin = pos;
        while (pos < text.length() && ".[".indexOf(text.charAt(pos)) < 0)
            pos++;
        String name = text.substring(begin, pos);
        if (name.isEmpty())
            throw error();
        if (name.equals("**"))
            return Path::deep;
        return name.equals("*") ? Path::each : named(name);
    }

    private Step brackets() {
        int end = text.indexOf(']', pos);
        if (end < 0)
            throw error();
        String inside = text.substring(pos + 1, end);
        pos = end + 1;
        if (inside.equals("*"))
            return Path::each;
        for (String operator : new String[] {"!=", "<=", ">=", "=", "<", ">"}) {
            int i = inside.indexOf(operator);
            if (i > 0)
                return filtered(inside.substring(0, i), operator, inside.substring(i + operator.length()));
        }
        int index = Integer.parseInt(inside);
        return (at, of, to) -> {
            int size = of.type() == Json.Type.ARRAY ? of.asArray().size() : 0;
            int real = index < 0 ? size + index : index;
            if (real >= 0 && real < size)
                to.add(new Found(at.with(real), of.asArray().get(real)));
        };
    }

    private static Step named(String name) {
        return (at, of, to) -> {
            Json member = of.type() == Json.Type.OBJECT ? of.asObject().get(name) : null;
            if (member != null)
                to.add(new Found(at.with(name), member));
        };
    }

    private static void each(Pointer at, Json of, List<Found> to) {
        if (of.type() == Json.Type.OBJECT)
            of.asObject().members().forEach((name, value) -> to.add(new Found(at.with(name), value)));
        if (of.type() == Json.Type.ARRAY)
            for (int i = 0; i < of.asArray().size(); i++)
                to.add(new Found(at.with(i), of.asArray().get(i)));
    }

    private static void deep(Pointer at, Json of, List<Found> to) {
        to.add(new Found(at, of));
        List<Found> children = new ArrayList<>();
        each(at, of, children);
        for (Found child : children)
            deep(child.at(), child.value(), to);
    }

    private static Step filtered(String name, String operator, String operand) {
        Json wanted = literal(operand);
        return (at, of, to) -> {
            List<Found> all = new ArrayList<>();
            each(at, of, all);
            for (Found item : all) {
                Json value = item.value().type() == Json.Type.OBJECT ? item.value().asObject().get(name) : null;
                if (value != null && holds(value, operator, wanted))
                    to.add(item);
            }
        };
    }

    private static Json literal(String text) {
        try {
            return Json.of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return Json.of(text.replace("'", ""));
        }
    }

    private static boolean holds(Json value, String operator, Json wanted) {
        if (operator.equals("=") || operator.equals("!="))
            return value.equals(wanted) == operator.equals("=");
        if (value.type() != wanted.type())
            return false;
        int order = value.type() == Json.Type.NUMBER ? value.number().compareTo(wanted.number())
                                                     : value.text().compareTo(wanted.text());
        switch (operator) {
            case "<":
                return order < 0;
            case "<=":
                return order <= 0;
            case ">":
                return order > 0;
            default:
                return order >= 0;
        }
    }

    List<Found> find(Json in) {
        List<Found> found = List.of(new Found(Pointer.ROOT, in));
        for (Step step : steps) {
            List<Found> next = new ArrayList<>();
            for (Found f : found)
                step.apply(f.at(), f.value(), next);
            found = next;
        }
        return found;
    }
}
