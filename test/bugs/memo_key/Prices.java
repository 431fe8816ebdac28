package memo_key;

import java.util.HashMap;
import java.util.Map;

class Prices {
    private final Map<String, Integer> known = new HashMap<>();

    int price(String item, String country) {
        // repair memo-key: return known.computeIfAbsent(item + "/" + country, k -> compute(item, country));
        return known.computeIfAbsent(item, k -> compute(item, country));
    }

    private int compute(String item, String country) {
        int net = item.length() * 100;
        return country.equals("DE") ? net * 119 / 100 : net * 120 / 100;
    }
}
