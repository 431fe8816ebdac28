package query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of values: null, Long, Double, String or Boolean. */
final class Table {
    private final String name;
    private final List<String> columns;
    private final List<Object[]> rows = new ArrayList<>();

    Table(String name, String... columns) {
        this.name = name;
        this.columns = List.of(columns);
    }

    String name() {
        return name;
    }

    List<String> columns() {
        return columns;
    }

    List<Object[]> rows() {
        return rows;
    }

    Table add(Object... values) {
        if (values.length != columns.size())
            throw new IllegalArgumentException(name + " has " + columns.size() + " columns, not " + values.length);
        Object[] row = new Object[values.length];
        for (int i = 0; i < values.length; i++)
            row[i] = values[i] instanceof Integer ? Long.valueOf((Integer) values[i]) : values[i];
        rows.add(row);
        return this;
    }

    int remove(int column, Object value) {
        int before = rows.size();
        rows.removeIf(row -> Values.compare(row[column], value) == 0);
        return before - rows.size();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name).append(columns);
        for (Object[] row : rows)
            text.append('\n').append(Arrays.toString(row));
        return text.toString();
    }
}
