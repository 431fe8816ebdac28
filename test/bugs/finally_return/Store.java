package finally_return;

import java.util.HashMap;
import java.util.Map;

class Store {
    private final Map<String, Integer> stock = new HashMap<>();
    private int open;

    void put(String item, int count) {
        stock.put(item, count);
    }

    @SuppressWarnings("finally")
    int take(String item, int count) {
        int left = 0;
        open++;
        try {
            left = stock.get(item) - count;
            if (left < 0) throw new IllegalStateException(item + " is short of " + -left);
            stock.put(item, left);
            return left;
        } finally {
            // repair finally: open--;
            open--; return left;
        }
    }
}
