import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a request of the soak test asks for: a little of what web applications do; its answer can be checked. */
final class Shop {
    private record Item(String name, int price) { }

    private static final int CARTS = 200;
    private final Map<Integer, List<Item>> carts = new LinkedHashMap<>(16, 0.75f, true) {
        @Override protected boolean removeEldestEntry(Map.Entry<Integer, List<Item>> oldest) { return size() > CARTS; }
    };

    /** The answer to /order?n=...: "n TOTAL". */
    String order(String query) {
        int n = Integer.parseInt(query.substring(query.indexOf('=') + 1));
        List<Item> items = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            items.add(new Item("item-" + i, (n + i) % 97));
        synchronized (carts) {
            carts.put(n % 1000, items);
        }
        int total = 0;
        for (Item item : items)
            total += price(item);
        return n + " " + total;
    }

    private static int price(Item item) {
        try {
            if (item.price() % 50 == 0)
                throw new IllegalStateException("no price for " + item.name());
            return item.price();
        } catch (IllegalStateException e) {
            return 1;
        }
    }
}
