package interpreter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What values of scripts are: nil, Boolean, Double, String, List, Map, Callable. */
final class Values {
    private Values() {}

    static String typeOf(Object value) {
        if (value == null)
            return "nil";
        if (value instanceof Boolean)
            return "boolean";
        if (value instanceof Double)
            return "number";
        if (value instanceof String)
            return "string";
        if (value instanceof List)
            return "list";
        return value instanceof Map ? "map" : "function";
    }

    static boolean truth(Object value) {
        return value != null && !Boolean.FALSE.equals(value);
    }

    static double number(Object value, int line) {
        if (value instanceof Double)
            return (Double) value;
        throw new ScriptError(line, "a number is needed, not " + show(value));
    }

    static Object apply(String operator, Object a, Object b, int line) {
        switch (operator) {
            case "==":
                return Objects.equals(a, b);
            case "!=":
                return !Objects.equals(a, b);
            case "+":
                return plus(a, b, line);
            case "..":
                return range(number(a, line), number(b, line));
            default:
                break;
        }
        if (a instanceof String && b instanceof String)
            return compare(operator, ((String) a).compareTo((String) b), line);
        double x = number(a, line);
        double y = number(b, line);
        switch (operator) {
            case "-":
                return x - y;
            case "*":
                return x * y;
            case "/":
                if (y == 0)
                    throw new ScriptError(line, "division by zero");
                return x / y;
            case "%":
                return x - y * Math.floor(x / y);
            default:
                return compare(operator, Double.compare(x, y), line);
        }
    }

    private static Object compare(String operator, int order, int line) {
        switch (operator) {
            case "<":
                return order < 0;
            case "<=":
                return order <= 0;
            case ">":
                return order > 0;
            case ">=":
                return order >= 0;
            default:
                throw new ScriptError(line, operator + " of strings");
        }
    }

    private static Object plus(Object a, Object b, int line) {
        if (a instanceof String || b instanceof String)
            return show(a) + show(b);
        if (a instanceof List && b instanceof List) {
            List<Object> both = new ArrayList<>((List<?>) a);
            both.addAll((List<?>) b);
            return both;
        }
        return number(a, line) + number(b, line);
    }

    /** Both ends belong to it. */
    private static List<Object> range(double from, double to) {
        List<Object> list = new ArrayList<>();
        for (double x = from; x <= to; x++)
            list.add(x);
        return list;
    }

    static Iterable<?> items(Object value, int line) {
        if (value instanceof List)
            return new ArrayList<>((List<?>) value);
        if (value instanceof Map)
            return new ArrayList<>(((Map<?, ?>) value).keySet());
        if (value instanceof String) {
            List<String> letters = new ArrayList<>();
            for (int i = 0; i < ((String) value).length(); i++)
                letters.add(((String) value).substring(i, i + 1));
            return letters;
        }
        throw new ScriptError(line, typeOf(value) + " has no items");
    }

    static String show(Object value) {
        if (value == null)
            return "nil";
        if (value instanceof Double) {
            double x = (Double) value;
            return x == Math.rint(x) && Math.abs(x) < 1e15 ? Long.toString((long) x) : Double.toString(x);
        }
        if (value instanceof List) {
            List<String> items = new ArrayList<>();
            for (Object item : (List<?>) value)
                items.add(show(item));
            return "[" + String.join(", ", items) + "]";
        }
        if (value instanceof Map) {
            List<String> items = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet())
                items.add(entry.getKey() + ": " + show(entry.getValue()));
            return "{" + String.join(", ", items) + "}";
        }
        return value instanceof Callable ? "<" + ((Callable) value).name() + ">" : value.toString();
    }
}
