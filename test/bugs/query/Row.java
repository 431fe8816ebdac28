package query;

import java.util.ArrayList;
import java.util.List;

/** The columns of the tables of a query side by side, and their values in one row. */
final class Row {
    /** Which column is where. */
    static final class Shape {
        private final List<String> tables = new ArrayList<>();
        private final List<String> columns = new ArrayList<>();

        void add(String table, List<String> names) {
            for (String name : names) {
                tables.add(table);
                columns.add(name);
            }
        }

        int size() {
            return columns.size();
        }

        String column(int index) {
            return columns.get(index);
        }

        boolean isOf(int index, String table) {
            return tables.get(index).equalsIgnoreCase(table);
        }

        int find(String table, String column) {
            int found = -1;
            for (int i = 0; i < columns.size(); i++) {
                if (!columns.get(i).equalsIgnoreCase(column) || (table != null && !isOf(i, table)))
                    continue;
                if (found >= 0)
                    throw new QueryException(column + " is in more than one table");
                found = i;
            }
            if (found < 0)
                throw new QueryException("there is no column " + (table != null ? table + "." : "") + column);
            return found;
        }
    }

    private final Object[] values;

    Row(Object[] values) {
        this.values = values;
    }

    Object get(int index) {
        return values[index];
    }

    int size() {
        return values.length;
    }

    Row with(Object[] more) {
        Object[] all = new Object[values.length + more.length];
        System.arraycopy(values, 0, all, 0, values.length);
        System.arraycopy(more, 0, all, values.length, more.length);
        return new Row(all);
    }
}
