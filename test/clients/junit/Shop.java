import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the tests of this folder test. Lines that tests.py names end in a comment. */
class Shop {
    static class Order {
        final String id;
        int total;
        List<String> items = new ArrayList<>();

        Order(String id) {
            this.id = id;
        }
    }

    private final Map<String, Integer> prices = new HashMap<>();
    private final Map<String, Order> orders = new HashMap<>();

    void price(String item, int cents) {
        prices.put(item, cents);
    }

    Order order(String id, String item, int count) {
        Order order = orders.computeIfAbsent(id, Order::new);
        int each = prices.get(item);
        int rebate = rebate(count);
        order.total += each * count - rebate; // total
        order.items.add(item);
        return order;
    }

    int rebate(int count) {
        return count > 2 ? 10 : 0; // rebate
    }

    Order find(String id) {
        return orders.get(id); // absent
    }

    void refuse(int count) {
        if (count > 2) throw new IllegalStateException("too many: " + count); // refused
    }

    int parse(String count) {
        try {
            return Integer.parseInt(count);
        } catch (NumberFormatException e) { // swallowed
            return 1;
        }
    }
}
