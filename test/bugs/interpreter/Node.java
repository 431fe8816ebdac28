package interpreter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A script as a tree. */
abstract class Node {
    final int line;

    Node(int line) {
        this.line = line;
    }

    abstract Object run(Machine m, Scope scope);

    ScriptError error(String message) {
        return new ScriptError(line, message);
    }

    // ---- how statements end early ----

    static class Jump extends RuntimeException {
        Jump() {
            super(null, null, false, false);
        }
    }

    static final class Break extends Jump {}

    static final class Continue extends Jump {}

    static final class Return extends Jump {
        final Object value;

        Return(Object value) {
            this.value = value;
        }
    }

    static final class Thrown extends ScriptError {
        final transient Object value;

        Thrown(int line, Object value) {
            super(line, Values.show(value));
            this.value = value;
        }
    }

    // ---- expressions ----

    static final class Constant extends Node {
        private final Object value;

        Constant(int line, Object value) {
            super(line);
            this.value = value;
        }

        @Override
        Object run(Machine m, Scope scope) {
            return value;
        }
    }

    static final class Variable extends Node {
        final String name;

        Variable(int line, String name) {
            super(line);
            this.name = name;
        }

        @Override
        Object run(Machine m, Scope scope) {
            return scope.get(name, line);
        }
    }

    static final class ListOf extends Node {
        private final List<Node> items;

        ListOf(int line, List<Node> items) {
            super(line);
            this.items = items;
        }

        @Override
        Object run(Machine m, Scope scope) {
            List<Object> list = new ArrayList<>();
            for (Node item : items)
                list.add(item.run(m, scope));
            return list;
        }
    }

    static final class MapOf extends Node {
        private final List<String> keys;
        private final List<Node> values;

        MapOf(int line, List<String> keys, List<Node> values) {
            super(line);
            this.keys = keys;
            this.values = values;
        }

        @Override
        Object run(Machine m, Scope scope) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++)
                map.put(keys.get(i), values.get(i).run(m, scope));
            return map;
        }
    }

    static final class Index extends Node {
        final Node of;
        final Node index;

        Index(int line, Node of, Node index) {
            super(line);
            this.of = of;
            this.index = index;
        }

        @Override
        Object run(Machine m, Scope scope) {
            return get(of.run(m, scope), index.run(m, scope));
        }

        Object get(Object container, Object key) {
            if (container instanceof Map && key instanceof String)
                return ((Map<?, ?>) container).get(key);
            if (container instanceof List && key instanceof Double)
                return ((List<?>) container).get(position(((List<?>) container).size(), (Double) key));
            if (container instanceof String && key instanceof Double) {
                int at = position(((String) container).length(), (Double) key);
                return ((String) container).substring(at, at + 1);
            }
            throw error(Values.typeOf(container) + " has no [" + Values.show(key) + "]");
        }

        /** Negative ones count from the end. */
        int position(int size, double index) {
            int at = (int) index;
            if (at < 0)
                at += size;
            if (at < 0 || at >= size || at != Math.floor(at))
                throw error("index " + Values.show(index) + " of " + size);
            return at;
        }

        @SuppressWarnings("unchecked")
        void put(Object container, Object key, Object value) {
            if (container instanceof Map && key instanceof String)
                ((Map<String, Object>) container).put((String) key, value);
            else if (container instanceof List && key instanceof Double)
                ((List<Object>) container).set(position(((List<?>) container).size(), (Double) key), value);
            else
                throw error(Values.typeOf(container) + " has no [" + Values.show(key) + "]");
        }
    }

    static final class Not extends Node {
        private final Node of;

        Not(int line, Node of) {
            super(line);
            this.of = of;
        }

        @Override
        Object run(Machine m, Scope scope) {
            return !Values.truth(of.run(m, scope));
        }
    }

    static final class Negative extends Node {
        private final Node of;

        Negative(int line, Node of) {
            super(line);
            this.of = of;
        }

        @Override
        Object run(Machine m, Scope scope) {
            return -Values.number(of.run(m, scope), line);
        }
    }

    /** `and` and `or`: the right side is asked only if the left one does not tell. */
    static final class Logic extends Node {
        private final boolean isAnd;
        private final Node left;
        private final Node right;

        Logic(int line, boolean isAnd, Node left, Node right) {
            super(line);
            this.isAnd = isAnd;
            this.left = left;
            this.right = right;
        }

        @Override
        Object run(Machine m, Scope scope) {
            Object value = left.run(m, scope);
            return Values.truth(value) == isAnd ? right.run(m, scope) : value;
        }
    }

    static final class Binary extends Node {
        private final String operator;
        private final Node left;
        private final Node right;

        Binary(int line, String operator, Node left, Node right) {
            super(line);
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

        @Override
        Object run(Machine m, Scope scope) {
            return Values.apply(operator, left.run(m, scope), right.run(m, scope), line);
        }
    }

    static final class Assign extends Node {
        private final Node to;
        private final String operator; // null: =
        private final Node value;

        Assign(int line, Node to, String operator, Node value) {
            super(line);
            this.to = to;
            this.operator = operator;
            this.value = value;
        }

        @Override
        Object run(Machine m, Scope scope) {
            if (to instanceof Variable) {
                String name = ((Variable) to).name;
                Object result = value.run(m, scope);
                if (operator != null)
                    result = Values.apply(operator, scope.get(name, line), result, line);
                scope.set(name, result, line);
                return result;
            }
            Index index = (Index) to;
            Object container = index.of.run(m, scope);
            Object key = index.index.run(m, scope);
            Object result = value.run(m, scope);
            if (operator != null)
                result = Values.apply(operator, index.get(container, key), result, line);
            index.put(container, key, result);
            return result;
        }
    }

    static final class Call extends Node {
        private final Node of;
        private final List<Node> arguments;

        Call(int line, Node of, List<Node> arguments) {
            super(line);
            this.of = of;
            this.arguments = arguments;
        }

        @Override
        Object run(Machine m, Scope scope) {
            Object called = of.run(m, scope);
            List<Object> values = new ArrayList<>();
            for (Node argument : arguments)
                values.add(argument.run(m, scope));
            return m.call(called, values, line);
        }
    }

    static final class Function extends Node {
        private final String name; // null: it has none
        private final List<String> parameters;
        private final Node body;

        Function(int line, String name, List<String> parameters, Node body) {
            super(line);
            this.name = name;
            this.parameters = parameters;
            this.body = body;
        }

        @Override
        Object run(Machine m, Scope scope) {
            Closure closure = new Closure(name != null ? name : "function", parameters, body, scope);
            if (name != null)
                scope.define(name, closure);
            return closure;
        }
    }

    // ---- statements ----

    static final class Let extends Node {
        private final String name;
        private final Node value;

        Let(int line, String name, Node value) {
            super(line);
            this.name = name;
            this.value = value;
        }

        @Override
        Object run(Machine m, Scope scope) {
            scope.define(name, value.run(m, scope));
            return null;
        }
    }

    static final class Block extends Node {
        private final List<Node> statements;

        Block(int line, List<Node> statements) {
            super(line);
            this.statements = statements;
        }

        @Override
        Object run(Machine m, Scope scope) {
            return runIn(m, new Scope(scope));
        }

        Object runIn(Machine m, Scope own) {
            Object last = null;
            for (Node statement : statements) {
                m.step(statement.line);
                last = statement.run(m, own);
            }
            return last;
        }
    }

    static final class If extends Node {
        private final Node condition;
        private final Node then;
        private final Node otherwise; // null: none

        If(int line, Node condition, Node then, Node otherwise) {
            super(line);
            this.condition = condition;
            this.then = then;
            this.otherwise = otherwise;
        }

        @Override
        Object run(Machine m, Scope scope) {
            if (Values.truth(condition.run(m, scope)))
                return then.run(m, scope);
            return otherwise != null ? otherwise.run(m, scope) : null;
        }
    }

    static final class While extends Node {
        private final Node condition;
        private final Node body;

        While(int line, Node condition, Node body) {
            super(line);
            this.condition = condition;
            this.body = body;
        }

        @Override
        Object run(Machine m, Scope scope) {
            while (Values.truth(condition.run(m, scope))) {
                m.step(line);
                try {
                    body.run(m, scope);
                } catch (Continue next) {
                    // the next round
                } catch (Break end) {
                    break;
                }
            }
            return null;
        }
    }

    static final class For extends Node {
        private final String name;
        private final Node of;
        private final Block body;

        For(int line, String name, Node of, Block body) {
            super(line);
            this.name = name;
            this.of = of;
            this.body = body;
        }

        @Override
        Object run(Machine m, Scope scope) {
            Scope own = new Scope(scope);
            for (Object item : Values.items(of.run(m, scope), line)) {
                m.step(line);
                own.define(name, item);
                try {
                    // repair shared-scope: body.run(m, own);
                    body.runIn(m, own);
                } catch (Continue next) {
                    // the next round
                } catch (Break end) {
                    break;
                }
            }
            return null;
        }
    }

    static final class Leave extends Node {
        private final String how;
        private final Node value; // null: none

        Leave(int line, String how, Node value) {
            super(line);
            this.how = how;
            this.value = value;
        }

        @Override
        Object run(Machine m, Scope scope) {
            Object result = value != null ? value.run(m, scope) : null;
            switch (how) {
                case "break":
                    throw new Break();
                case "continue":
                    throw new Continue();
                case "throw":
                    throw new Thrown(line, result);
                default:
                    throw new Return(result);
            }
        }
    }

    static final class Try extends Node {
        private final Node body;
        private final String name;
        private final Block handler;

        Try(int line, Node body, String name, Block handler) {
            super(line);
            this.body = body;
            this.name = name;
            this.handler = handler;
        }

        @Override
        Object run(Machine m, Scope scope) {
            try {
                return body.run(m, scope);
            } catch (Thrown e) {
                return handle(m, scope, e.value);
            } catch (ScriptError e) {
                return handle(m, scope, e.getMessage());
            }
        }

        private Object handle(Machine m, Scope scope, Object value) {
            Scope own = new Scope(scope);
            own.define(name, value);
            return handler.runIn(m, own);
        }
    }
}
