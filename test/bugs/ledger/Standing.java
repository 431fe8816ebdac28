package ledger;

import java.util.ArrayList;
import java.util.List;

/** Orders that are carried out each month. */
final class Standing {
    private static final class Order {
        final String text;
        final String from;
        final String to;
        final Money amount;
        final Day first;
        int done;

        Order(String text, String from, String to, Money amount, Day first) {
            this.text = text;
            this.from = from;
            this.to = to;
            this.amount = amount;
            this.first = first;
        }

        /** Counted from the first one: the 31st comes again after February. */
        Day next() {
            return first.plusMonths(done);
        }
    }

    private final Books books;
    private final List<Order> orders = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    Standing(Books books) {
        this.books = books;
    }

    void add(String text, String from, String to, Money amount, Day first) {
        orders.add(new Order(text, from, to, amount, first));
    }

    List<String> refused() {
        return refused;
    }

    void runUntil(Day day) {
        for (;;) {
            Order due = null;
            for (Order order : orders)
                if (order.next().compareTo(day) <= 0 && (due == null || order.next().compareTo(due.next()) < 0))
                    due = order;
            if (due == null)
                return;
            try {
                books.transfer(due.next().toString(), due.text, due.from, due.to, due.amount);
            } catch (LedgerException e) {
                refused.add(due.next() + " " + e.getMessage());
            }
            due.done++;
        }
    }
}
