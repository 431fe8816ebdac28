package query;

import java.util.ArrayList;
import java.util.List;

/** A query as it was parsed. */
final class Select {
    static final class Item {
        final Expression expression; // null: all columns
        final String name;

        Item(Expression expression, String name) {
            this.expression = expression;
            this.name = name;
        }
    }

    static final class Source {
        final String table;
        final String alias;
        final boolean left;
        final Expression on; // null: of the first one

        Source(String table, String alias, boolean left, Expression on) {
            this.table = table;
            this.alias = alias;
            this.left = left;
            this.on = on;
        }
    }

    static final class Order {
        final Expression by;
        final boolean descending;

        Order(Expression by, boolean descending) {
            this.by = by;
            this.descending = descending;
        }
    }

    boolean distinct;
    final List<Item> items = new ArrayList<>();
    final List<Source> sources = new ArrayList<>();
    Expression where;
    final List<Expression> groups = new ArrayList<>();
    Expression having;
    final List<Order> orders = new ArrayList<>();
    long limit = Long.MAX_VALUE;
    long offset;

    boolean isGrouped() {
        if (!groups.isEmpty() || having != null)
            return true;
        for (Item item : items)
            if (item.expression != null && item.expression.isAggregate())
                return true;
        return false;
    }
}
