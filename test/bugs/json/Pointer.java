package json;

import java.util.ArrayList;
import java.util.List;

/** A place in a value (RFC 6901): /items/0/name; in names ~1 stands for a slash, ~0 for a tilde. */
final class Pointer {
    static final Pointer ROOT = new Pointer(List.of());
    private final List<String> steps;

    private Pointer(List<String> steps) {
        this.steps = List.copyOf(steps);
    }

    static Pointer parse(String text) {
        if (text.isEmpty())
            return ROOT;
        if (!text.startsWith("/"))
            throw new JsonException("not a pointer: " + text);
        List<String> steps = new ArrayList<>();
        for (String step : text.substring(1).split("/", -1))
            steps.add(unescape(step));
        return new Pointer(steps);
    }

    private static String unescape(String step) {
        // repair wrong-order: return step.replace("~1", "/").replace("~0", "~");
        return step.replace("~0", "~").replace("~1", "/");
    }

    private static String escape(String step) {
        return step.replace("~", "~0").replace("/", "~1");
    }

    Pointer with(String step) {
        List<String> more = new ArrayList<>(steps);
        more.add(step);
        return new Pointer(more);
    }

    Pointer with(int index) {
        return with(Integer.toString(index));
    }

    boolean isRoot() {
        return steps.isEmpty();
    }

    Pointer parent() {
        return new Pointer(steps.subList(0, steps.size() - 1));
    }

    String last() {
        return steps.get(steps.size() - 1);
    }

    boolean isInside(Pointer other) {
        return steps.size() > other.steps.size() && steps.subList(0, other.steps.size()).equals(other.steps);
    }

    /** null: nothing is there. */
    Json find(Json in) {
        Json at = in;
        for (String step : steps) {
            at = child(at, step);
            if (at == null)
                return null;
        }
        return at;
    }

    Json get(Json in) {
        Json found = find(in);
        if (found == null)
            throw new JsonException("nothing is at " + this);
        return found;
    }

    private static Json child(Json of, String step) {
        if (of.type() == Json.Type.OBJECT)
            return of.asObject().get(step);
        if (of.type() != Json.Type.ARRAY)
            return null;
        int index = index(step, of.asArray().size());
        return index < of.asArray().size() ? of.asArray().get(index) : null;
    }

    /** "-" is behind the last one. */
    static int index(String step, int size) {
        if (step.equals("-"))
            return size;
        if (step.isEmpty() || step.length() > 9 || (step.length() > 1 && step.startsWith("0")))
            throw new JsonException("not an index: " + step);
        for (int i = 0; i < step.length(); i++)
            if (!Character.isDigit(step.charAt(i)))
                throw new JsonException("not an index: " + step);
        return Integer.parseInt(step);
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (String step : steps)
            out.append('/').append(escape(step));
        return out.toString();
    }
}
