package stale_cache;

import java.util.LinkedHashMap;
import java.util.Map;

class Cart {
    private final Map<String, Integer> cents = new LinkedHashMap<>();
    private Integer total;

    void add(String item, int price) {
        cents.merge(item, price, Integer::sum);
        total = null;
    }

    void remove(String item) {
        // repair stale-cache: cents.remove(item); total = null;
        cents.remove(item);
    }

    int total() {
        if (total == null) {
            int sum = 0;
            for (int price : cents.values()) sum += price;
            total = sum;
        }
        return total;
    }
}
