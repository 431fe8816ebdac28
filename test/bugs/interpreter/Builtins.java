package interpreter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The functions that every script has. */
final class Builtins {
    private Builtins() {}

    private interface Body {
        Object call(Machine m, List<Object> a, int line);
    }

    private static final class Builtin implements Callable {
        private final String name;
        private final int arity;
        private final Body body;

        Builtin(String name, int arity, Body body) {
            this.name = name;
            this.arity = arity;
            this.body = body;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int arity() {
            return arity;
        }

        @Override
        public Object call(Machine m, List<Object> arguments, int line) {
            return body.call(m, arguments, line);
        }
    }

    static void define(Scope scope) {
        add(scope, "print", Callable.ANY, (m, a, line) -> print(m, a));
        add(scope, "len", 1, (m, a, line) -> length(a.get(0), line));
        add(scope, "type", 1, (m, a, line) -> Values.typeOf(a.get(0)));
        add(scope, "str", 1, (m, a, line) -> Values.show(a.get(0)));
        add(scope, "num", 1, (m, a, line) -> parse(a.get(0)));
        add(scope, "push", 2, (m, a, line) -> push(list(a.get(0), line), a.get(1)));
        add(scope, "pop", 1, (m, a, line) -> pop(list(a.get(0), line), line));
        add(scope, "keys", 1, (m, a, line) -> new ArrayList<Object>(map(a.get(0), line).keySet()));
        add(scope, "map", 2, (m, a, line) -> map(m, list(a.get(0), line), a.get(1), line));
        add(scope, "filter", 2, (m, a, line) -> filter(m, list(a.get(0), line), a.get(1), line));
        add(scope, "fold", 3, (m, a, line) -> fold(m, list(a.get(0), line), a.get(1), a.get(2), line));
        add(scope, "sort", 2, (m, a, line) -> sort(m, list(a.get(0), line), a.get(1), line));
        add(scope, "join", 2, (m, a, line) -> join(list(a.get(0), line), Values.show(a.get(1))));
        add(scope, "split", 2, (m, a, line) -> split(Values.show(a.get(0)), Values.show(a.get(1))));
        add(scope, "slice", 3, (m, a, line) -> slice(a, line));
        add(scope, "floor", 1, (m, a, line) -> Math.floor(Values.number(a.get(0), line)));
        add(scope, "sqrt", 1, (m, a, line) -> Math.sqrt(Values.number(a.get(0), line)));
    }

    private static void add(Scope scope, String name, int arity, Body body) {
        scope.define(name, new Builtin(name, arity, body));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value, int line) {
        if (value instanceof List)
            return (List<Object>) value;
        throw new ScriptError(line, "a list is needed, not " + Values.show(value));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value, int line) {
        if (value instanceof Map)
            return (Map<String, Object>) value;
        throw new ScriptError(line, "a map is needed, not " + Values.show(value));
    }

    private static Object print(Machine m, List<Object> a) {
        StringBuilder text = new StringBuilder();
        for (Object value : a)
            text.append(text.length() > 0 ? " " : "").append(Values.show(value));
        m.print(text.toString());
        return null;
    }

    private static Object length(Object value, int line) {
        if (value instanceof String)
            return (double) ((String) value).length();
        if (value instanceof Map)
            return (double) ((Map<?, ?>) value).size();
        return (double) list(value, line).size();
    }

    private static Object parse(Object value) {
        try {
            return Double.valueOf(Values.show(value).trim());
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Object push(List<Object> list, Object value) {
        list.add(value);
        return list;
    }

    private static Object pop(List<Object> list, int line) {
        if (list.isEmpty())
            throw new ScriptError(line, "nothing is left in the list");
        return list.remove(list.size() - 1);
    }

    private static Object map(Machine m, List<Object> list, Object function, int line) {
        List<Object> result = new ArrayList<>();
        for (Object item : list)
            result.add(m.call(function, Arrays.asList(item), line));
        return result;
    }

    private static Object filter(Machine m, List<Object> list, Object function, int line) {
        List<Object> result = new ArrayList<>();
        for (Object item : list)
            if (Values.truth(m.call(function, Arrays.asList(item), line)))
                result.add(item);
        return result;
    }

    private static Object fold(Machine m, List<Object> list, Object first, Object function, int line) {
        Object result = first;
        for (Object item : list)
            result = m.call(function, Arrays.asList(result, item), line);
        return result;
    }

    private static Object sort(Machine m, List<Object> list, Object before, int line) {
        List<Object> sorted = new ArrayList<>(list);
        sorted.sort((x, y) -> {
            if (Values.truth(m.call(before, Arrays.asList(x, y), line)))
                return -1;
            return Values.truth(m.call(before, Arrays.asList(y, x), line)) ? 1 : 0;
        });
        return sorted;
    }

    private static Object join(List<Object> list, String between) {
        List<String> texts = new ArrayList<>();
        for (Object item : list)
            texts.add(Values.show(item));
        return String.join(between, texts);
    }

    private static Object split(String text, String at) {
        List<Object> parts = new ArrayList<>();
        int begin = 0;
        for (int end; !at.isEmpty() && (end = text.indexOf(at, begin)) >= 0; begin = end + at.length())
            parts.add(text.substring(begin, end));
        parts.add(text.substring(begin));
        return parts;
    }

    private static Object slice(List<Object> a, int line) {
        int size = ((Double) length(a.get(0), line)).intValue();
        int from = Math.max(0, Math.min(size, (int) Values.number(a.get(1), line)));
        int to = Math.max(from, Math.min(size, (int) Values.number(a.get(2), line)));
        if (a.get(0) instanceof String)
            return ((String) a.get(0)).substring(from, to);
        return new ArrayList<>(list(a.get(0), line).subList(from, to));
    }
}
