package interpreter;

import java.util.HashMap;
import java.util.Map;

/** The variables of a block, inside of those of the blocks around it. */
final class Scope {
    private final Scope around;
    private final Map<String, Object> variables = new HashMap<>();

    Scope(Scope around) {
        this.around = around;
    }

    void define(String name, Object value) {
        variables.put(name, value);
    }

    boolean has(String name) {
        return find(name) != null;
    }

    private Scope find(String name) {
        for (Scope scope = this; scope != null; scope = scope.around)
            if (scope.variables.containsKey(name))
                return scope;
        return null;
    }

    Object get(String name, int line) {
        Scope scope = find(name);
        if (scope == null)
            throw new ScriptError(line, name + " is not defined");
        return scope.variables.get(name);
    }

    void set(String name, Object value, int line) {
        Scope scope = find(name);
        if (scope == null)
            throw new ScriptError(line, name + " is not defined");
        scope.variables.put(name, value);
    }

    int depth() {
        return around == null ? 0 : around.depth() + 1;
    }
}
