package query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tables, and the answers to queries over them. */
final class Database {
    private final Map<String, Table> tables = new HashMap<>();

    Database add(Table table) {
        tables.put(table.name().toLowerCase(Locale.ROOT), table);
        return this;
    }

    private Table table(String name) {
        Table table = tables.get(name.toLowerCase(Locale.ROOT));
        if (table == null)
            throw new QueryException("there is no table " + name);
        return table;
    }

    Table ask(String query) {
        Select s = Parser.parse(query);
        Row.Shape shape = new Row.Shape();
        List<Row> rows = join(s, shape);
        if (s.where != null)
            rows.removeIf(row -> !holds(s.where, shape, List.of(row)));
        List<List<Row>> groups = s.isGrouped() ? group(s, shape, rows) : each(rows);
        if (s.having != null)
            groups.removeIf(group -> !holds(s.having, shape, group));
        return result(s, shape, groups);
    }

    private static boolean holds(Expression condition, Row.Shape shape, List<Row> rows) {
        return Boolean.TRUE.equals(Values.truth(condition.value(new Expression.Context(shape, rows))));
    }

    // ---- rows ----

    private List<Row> join(Select s, Row.Shape shape) {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row(new Object[0]));
        for (Select.Source source : s.sources) {
            Table table = table(source.table);
            shape.add(source.alias, table.columns());
            List<Row> joined = new ArrayList<>();
            for (Row row : rows) {
                boolean matched = false;
                for (Object[] values : table.rows()) {
                    Row both = row.with(values);
                    if (source.on != null && !holds(source.on, shape, List.of(both)))
                        continue;
                    joined.add(both);
                    matched = true;
                }
                if (!matched && source.left)
                    joined.add(row.with(new Object[table.columns().size()]));
            }
            rows = joined;
        }
        return rows;
    }

    private static List<List<Row>> each(List<Row> rows) {
        List<List<Row>> groups = new ArrayList<>();
        for (Row row : rows)
            groups.add(List.of(row));
        return groups;
    }

    private static List<List<Row>> group(Select s, Row.Shape shape, List<Row> rows) {
        if (s.groups.isEmpty()) {
            List<List<Row>> all = new ArrayList<>();
            all.add(rows);
            return all;
        }
        Map<List<Object>, List<Row>> groups = new LinkedHashMap<>();
        for (Row row : rows) {
            List<Object> key = new ArrayList<>();
            for (Expression by : s.groups)
                key.add(by.value(new Expression.Context(shape, List.of(row))));
            groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
        }
        return new ArrayList<>(groups.values());
    }

    // ---- the result ----

    /** A row of the result, and what it is sorted by. */
    private static final class Output {
        final Object[] values;
        final Object[] keys;

        Output(Object[] values, Object[] keys) {
            this.values = values;
            this.keys = keys;
        }
    }

    private static Table result(Select s, Row.Shape shape, List<List<Row>> groups) {
        List<String> names = new ArrayList<>();
        for (Select.Item item : s.items) {
            if (item.expression != null)
                names.add(item.name);
            for (int i = 0; item.expression == null && i < shape.size(); i++)
                names.add(shape.column(i));
        }
        List<Output> outputs = new ArrayList<>();
        for (List<Row> group : groups)
            outputs.add(output(s, shape, group, names));
        if (s.distinct)
            outputs = distinct(outputs);
        sort(s, outputs);
        Table table = new Table("result", names.toArray(new String[0]));
        long number = 0;
        for (Output output : outputs) {
            if (number >= s.offset && number - s.offset < s.limit)
                table.add(output.values);
            number++;
        }
        return table;
    }

    private static Output output(Select s, Row.Shape shape, List<Row> group, List<String> names) {
        Expression.Context context = new Expression.Context(shape, group);
        List<Object> values = new ArrayList<>();
        for (Select.Item item : s.items) {
            if (item.expression != null)
                values.add(item.expression.value(context));
            for (int i = 0; item.expression == null && i < shape.size(); i++)
                values.add(context.row().get(i));
        }
        Object[] keys = new Object[s.orders.size()];
        for (int i = 0; i < keys.length; i++)
            keys[i] = key(s.orders.get(i).by, context, names, values);
        return new Output(values.toArray(), keys);
    }

    /** The name or number of a column of the result, or an expression. */
    private static Object key(Expression by, Expression.Context context, List<String> names, List<Object> values) {
        int named = by instanceof Expression.Column ? names.indexOf(by.title()) : -1;
        if (named >= 0)
            return values.get(named);
        Object value = by.value(context);
        if (by instanceof Expression.Constant && value instanceof Long) {
            long column = (Long) value;
            if (column < 1 || column > values.size())
                throw new QueryException("there is no column number " + column);
            return values.get((int) column - 1);
        }
        return value;
    }

    private static List<Output> distinct(List<Output> outputs) {
        LinkedHashSet<List<Object>> seen = new LinkedHashSet<>();
        List<Output> once = new ArrayList<>();
        for (Output output : outputs)
            if (seen.add(Arrays.asList(output.values)))
                once.add(output);
        return once;
    }

    private static void sort(Select s, List<Output> outputs) {
        outputs.sort((x, y) -> {
            for (int i = 0; i < s.orders.size(); i++) {
                int order = Values.compare(x.keys[i], y.keys[i]);
                if (order != 0)
                    return s.orders.get(i).descending ? -order : order;
            }
            return 0;
        });
    }
}
