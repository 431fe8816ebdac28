/** A stale value: the price shown is not the price that was set last. */
import java.util.HashMap;
import java.util.Map;

public class Stale {
    static class Product {
        int price = 100;
    }

    static class Prices {
        final Map<Product, Integer> known = new HashMap<>();
        int shown;

        void show(Product product) {
            shown = known.computeIfAbsent(product, p -> p.price);
        }
    }

    public static void main(String[] args) {
        Product pen = new Product();
        Prices prices = new Prices();
        prices.show(pen);
        pen.price = 120;
        prices.show(pen);
        System.out.println("price " + pen.price + ", shown " + prices.shown);
    }
}
