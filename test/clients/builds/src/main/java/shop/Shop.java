package shop;

import java.util.HashMap;
import java.util.Map;

public class Shop {
    private final Map<String, Integer> prices = new HashMap<>();
    private final Tax tax;
    private int total;

    public Shop(Tax tax) {
        this.tax = tax;
    }

    public void price(String item, int cents) {
        prices.put(item, cents);
    }

    public void order(String item, int count) {
        total += prices.get(item) * count - (count > 2 ? 10 : 0); // rebate
    }

    public int total() {
        return total + tax.on(total);
    }
}
