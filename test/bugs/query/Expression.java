package query;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is computed from a row, or from a group of rows. */
abstract class Expression {
    /** Of a group all rows, else the one. */
    static final class Context {
        final Row.Shape shape;
        final List<Row> rows;

        Context(Row.Shape shape, List<Row> rows) {
            this.shape = shape;
            this.rows = rows;
        }

        Row row() {
            return rows.isEmpty() ? new Row(new Object[shape.size()]) : rows.get(0);
        }
    }

    abstract Object value(Context c);

    boolean isAggregate() {
        for (Expression part : parts())
            if (part.isAggregate())
                return true;
        return false;
    }

    abstract List<Expression> parts();

    /** The name of its column if it has no other. */
    abstract String title();

    static final class Constant extends Expression {
        private final Object value;

        Constant(Object value) {
            this.value = value;
        }

        @Override
        Object value(Context c) {
            return value;
        }

        @Override
        List<Expression> parts() {
            return List.of();
        }

        @Override
        String title() {
            return Values.text(value);
        }
    }

    static final class Column extends Expression {
        private final String table; // null: whichever has it
        private final String name;

        Column(String table, String name) {
            this.table = table;
            this.name = name;
        }

        @Override
        Object value(Context c) {
            return c.row().get(c.shape.find(table, name));
        }

        @Override
        List<Expression> parts() {
            return List.of();
        }

        @Override
        String title() {
            return name;
        }
    }

    static final class Arithmetic extends Expression {
        private final String operator;
        private final Expression left;
        private final Expression right;

        Arithmetic(String operator, Expression left, Expression right) {
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

        @Override
        Object value(Context c) {
            return Values.arithmetic(operator, left.value(c), right.value(c));
        }

        @Override
        List<Expression> parts() {
            return List.of(left, right);
        }

        @Override
        String title() {
            return left.title() + operator + right.title();
        }
    }

    static final class Comparison extends Expression {
        private final String operator;
        private final Expression left;
        private final Expression right;

        Comparison(String operator, Expression left, Expression right) {
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

        @Override
        Object value(Context c) {
            Object a = left.value(c);
            Object b = right.value(c);
            if (a == null || b == null)
                return null;
            int order = Values.compare(a, b);
            switch (operator) {
                case "=":
                    return order == 0;
                case "<":
                    return order < 0;
                case "<=":
                    return order <= 0;
                case ">":
                    return order > 0;
                case ">=":
                    return order >= 0;
                default:
                    return order != 0;
            }
        }

        @Override
        List<Expression> parts() {
            return List.of(left, right);
        }

        @Override
        String title() {
            return left.title() + operator + right.title();
        }
    }

    /** With three values: true, false and not known. */
    static final class Logic extends Expression {
        private final boolean isAnd;
        private final Expression left;
        private final Expression right;

        Logic(boolean isAnd, Expression left, Expression right) {
            this.isAnd = isAnd;
            this.left = left;
            this.right = right;
        }

        @Override
        Object value(Context c) {
            Boolean a = Values.truth(left.value(c));
            if (a != null && a != isAnd)
                return a;
            Boolean b = Values.truth(right.value(c));
            if (b != null && b != isAnd)
                return b;
            return a == null || b == null ? null : (Object) isAnd;
        }

        @Override
        List<Expression> parts() {
            return List.of(left, right);
        }

        @Override
        String title() {
            return left.title() + (isAnd ? " AND " : " OR ") + right.title();
        }
    }

    static final class Not extends Expression {
        private final Expression of;

        Not(Expression of) {
            this.of = of;
        }

        @Override
        Object value(Context c) {
            Boolean value = Values.truth(of.value(c));
            return value == null ? null : (Object) !value;
        }

        @Override
        List<Expression> parts() {
            return List.of(of);
        }

        @Override
        String title() {
            return "NOT " + of.title();
        }
    }

    static final class IsNull extends Expression {
        private final Expression of;

        IsNull(Expression of) {
            this.of = of;
        }

        @Override
        Object value(Context c) {
            return of.value(c) == null;
        }

        @Override
        List<Expression> parts() {
            return List.of(of);
        }

        @Override
        String title() {
            return of.title() + " IS NULL";
        }
    }

    static final class In extends Expression {
        private final Expression of;
        private final List<Expression> list;

        In(Expression of, List<Expression> list) {
            this.of = of;
            this.list = list;
        }

        @Override
        Object value(Context c) {
            Object value = of.value(c);
            if (value == null)
                return null;
            boolean known = true;
            for (Expression item : list) {
                Object other = item.value(c);
                if (other != null && Values.compare(value, other) == 0)
                    return true;
                known &= other != null;
            }
            return known ? (Object) false : null;
        }

        @Override
        List<Expression> parts() {
            List<Expression> parts = new ArrayList<>(list);
            parts.add(of);
            return parts;
        }

        @Override
        String title() {
            return of.title() + " IN";
        }
    }

    static final class Like extends Expression {
        private final Expression of;
        private final Expression pattern;

        Like(Expression of, Expression pattern) {
            this.of = of;
            this.pattern = pattern;
        }

        @Override
        Object value(Context c) {
            Object text = of.value(c);
            Object like = pattern.value(c);
            return text == null || like == null ? null : (Object) Values.like(text.toString(), like.toString());
        }

        @Override
        List<Expression> parts() {
            return List.of(of, pattern);
        }

        @Override
        String title() {
            return of.title() + " LIKE";
        }
    }

    static final class Case extends Expression {
        private final List<Expression> conditions;
        private final List<Expression> results;
        private final Expression otherwise;

        Case(List<Expression> conditions, List<Expression> results, Expression otherwise) {
            this.conditions = conditions;
            this.results = results;
            this.otherwise = otherwise;
        }

        @Override
        Object value(Context c) {
            for (int i = 0; i < conditions.size(); i++)
                if (Boolean.TRUE.equals(Values.truth(conditions.get(i).value(c))))
                    return results.get(i).value(c);
            return otherwise.value(c);
        }

        @Override
        List<Expression> parts() {
            List<Expression> parts = new ArrayList<>(conditions);
            parts.addAll(results);
            parts.add(otherwise);
            return parts;
        }

        @Override
        String title() {
            return "CASE";
        }
    }

    /** A function of one row. */
    static final class Call extends Expression {
        private final String name;
        private final List<Expression> arguments;

        Call(String name, List<Expression> arguments) {
            this.name = name;
            this.arguments = arguments;
        }

        @Override
        Object value(Context c) {
            if (name.equals("COALESCE")) {
                for (Expression argument : arguments) {
                    Object value = argument.value(c);
                    if (value != null)
                        return value;
                }
                return null;
            }
            if (arguments.size() != 1)
                throw new QueryException(name + " has one argument");
            Object value = arguments.get(0).value(c);
            if (value == null)
                return null;
            switch (name) {
                case "UPPER":
                    return value.toString().toUpperCase(Locale.ROOT);
                case "LOWER":
                    return value.toString().toLowerCase(Locale.ROOT);
                case "LENGTH":
                    return (long) value.toString().length();
                case "ABS":
                    return value instanceof Long ? (Object) Math.abs((Long) value)
                                                 : (Object) Math.abs(Values.number(value).doubleValue());
                default:
                    throw new QueryException("there is no function " + name);
            }
        }

        @Override
        List<Expression> parts() {
            return arguments;
        }

        @Override
        String title() {
            return name.toLowerCase(Locale.ROOT);
        }
    }

    /** A function of all rows of a group; nulls do not count. */
    static final class Aggregate extends Expression {
        private final String name;
        private final Expression of; // null: COUNT(*)
        private final boolean distinct;

        Aggregate(String name, Expression of, boolean distinct) {
            this.name = name;
            this.of = of;
            this.distinct = distinct;
        }

        @Override
        boolean isAggregate() {
            return true;
        }

        @Override
        Object value(Context c) {
            if (of == null)
                return (long) c.rows.size();
            List<Object> values = new ArrayList<>();
            for (Row row : c.rows)
                values.add(of.value(new Context(c.shape, List.of(row))));
            values.removeIf(value -> value == null);
            if (distinct) {
                Set<Object> once = new LinkedHashSet<>(values);
                values = new ArrayList<>(once);
            }
            switch (name) {
                case "COUNT":
                    return (long) values.size();
                case "MIN":
                case "MAX":
                    return extreme(values);
                case "SUM":
                    return sum(values);
                default:
                    // repair wrong-divisor: return average(values, values.size());
                    return average(values, c.rows.size());
            }
        }

        private Object extreme(List<Object> values) {
            Object found = null;
            for (Object value : values) {
                int order = found == null ? 0 : Values.compare(value, found);
                if (found == null || (name.equals("MIN") ? order < 0 : order > 0))
                    found = value;
            }
            return found;
        }

        private static Object sum(List<Object> values) {
            Object sum = null;
            for (Object value : values)
                sum = sum == null ? value : Values.arithmetic("+", sum, value);
            return sum;
        }

        private static Object average(List<Object> values, int count) {
            Object sum = sum(values);
            return sum == null ? null : (Object) (Values.number(sum).doubleValue() / count);
        }

        @Override
        List<Expression> parts() {
            return of != null ? List.of(of) : List.of();
        }

        @Override
        String title() {
            return name.toLowerCase(Locale.ROOT);
        }
    }
}
