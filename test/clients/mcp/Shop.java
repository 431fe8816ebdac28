// A shop that shows a stale price: values are kept although the price was raised. Also an array of more elements than a
// page has, with values that need 64 bits, one of more than `compare` reads at once, and a text that JSON escapes.
public class Shop {
    static int price = 10;
    final int[] values = new int[4];
    final boolean[] valid = new boolean[4];
    int hits;

    int priceOf(int item) {
        if (valid[item]) {
            hits++;
            return values[item];
        }
        int fresh = price * item;
        values[item] = fresh;
        valid[item] = true;
        return fresh;
    }

    static void raise(int by) { price += by; }

    static long[] fill(int count) {
        long[] many = new long[count];
        for (int i = 0; i < count; i++)
            many[i] = i == 0 ? Long.MIN_VALUE : (1L << 62) + i;
        return many;
    }

    static String label(String text) { return text; }

    public static void main(String[] args) {
        Shop shop = new Shop();
        int before = shop.priceOf(3);
        raise(5);
        int after = shop.priceOf(3);
        fill(Integer.parseInt(args[0]));
        label("a \"quoted\" \\ line\n\u001b[31m\u202e\ud800 \u0000 end");
        System.out.println("price " + before + " " + after); // 30 30, not 30 45
        java.util.Map<String, Integer> stock = new java.util.HashMap<>();
        java.util.List<String> mixed = new java.util.ArrayList<>(java.util.List.of("tea", "cup"));
        stock.put("tea", 3);
        stock.put("cup", 1);
        int[] wide = new int[100_000];
        label("before");
        wide[70_000] = 7;
        stock.put("tea", 5);
        stock.remove("cup");
        java.util.Collections.shuffle(mixed);
        label("behind");
    }
}
