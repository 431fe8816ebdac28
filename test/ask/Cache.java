// A cache that returns a stale value: the price changes behind it. An array holds the cached values.
public class Cache {
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

    public static void main(String[] args) {
        Cache cache = new Cache();
        int before = cache.priceOf(3);
        raise(5);
        int after = cache.priceOf(3);
        System.out.println("price " + before + " " + after); // 30 30, not 30 45
    }
}
