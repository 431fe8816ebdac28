// A price that is not found under its key: the default comes from the call itself, and its key is a cause.
import java.util.HashMap;
import java.util.Map;

public class Keyed {
    static final Map<String, Integer> PRICES = new HashMap<>();

    static int price(String item) {
        return PRICES.getOrDefault(item.toLowerCase(), 1234567);
    }

    public static void main(String[] args) {
        PRICES.put("Coffee", 450);
        System.out.println(price("Coffee"));
    }
}

// ask: hindsight print --event CALL_RETURN --method price T
// answer: {key} * CALL_RETURN * "coffee"
// next: {box} * CALL_RETURN * 1234567
// next: {gave} * CALL_RETURN * 1234567
// ask: hindsight why {gave} T
// answer: it is its own argument at seq
// answer: "coffee"* the key of java.util.Map.getOrDefault
// answer: constant 1234567
