// A swallowed exception: a member pays the full price, and no error is reported.
// ask: hindsight record -o T -- java -cp classes SwallowedException
// answer: ann pays 200, expected 180
// ask: hindsight exceptions --swallowed T
// answer: {thrown} * java.lang.NumberFormatException#*: *1O* at SwallowedException.parse:* (swallowed)
// ask: hindsight locals --at {thrown} T
// answer: 0 SwallowedException.parse:{CAUSE}
// answer: text "1O"
// answer: 1 SwallowedException.load
// answer: line "ann=1O"
import java.util.HashMap;
import java.util.Map;

public class SwallowedException {
    private final Map<String, Integer> discounts = new HashMap<>();

    void load(String... lines) {
        for (String line : lines) {
            int equals = line.indexOf('=');
            try {
                discounts.put(line.substring(0, equals), parse(line.substring(equals + 1)));
            } catch (RuntimeException e) {
                // a broken line must not stop the shop
            }
        }
    }

    static int parse(String text) {
        return Integer.parseInt(text); // CAUSE: the text has the letter O
    }

    int price(String member, int full) {
        return full - full * discounts.getOrDefault(member, 0) / 100;
    }

    public static void main(String[] args) {
        SwallowedException shop = new SwallowedException();
        shop.load("bob=5", "ann=1O", "eve=20");
        System.out.println("ann pays " + shop.price("ann", 200) + ", expected 180");
    }
}
