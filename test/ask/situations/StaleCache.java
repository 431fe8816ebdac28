// A stale value in a cache: a price is changed, and the list shows the old one.
// ask: hindsight record -o T -- java -cp classes StaleCache
// answer: price of 7 is 120, the list shows 100
// ask: hindsight history Catalogue.shown T
// answer: PUT_INSTANCE_FIELD_VALUE 100 *Catalogue.list
// answer: {shown} * PUT_INSTANCE_FIELD_VALUE 100 *Catalogue.list
// ask: hindsight why {shown} T
// answer: CALL_RETURN 100 *Catalogue.priceOf
// answer: returned by java.util.Map.get, * last given to java.util.Map.put
// ask: hindsight print --class Catalogue --method forget --event 'CALL*' T
// answer: HashMap#* *Catalogue.forget:{CAUSE} *remove
// answer: CALL_PARAM Long#* *Catalogue.forget:{CAUSE}
// answer: CALL_RETURN null *Catalogue.forget:{CAUSE}
import java.util.HashMap;
import java.util.Map;

public class StaleCache {
    static class Store {
        private final Map<Long, Integer> prices = new HashMap<>();

        void put(long product, int price) {
            prices.put(product, price);
        }

        int read(long product) {
            return prices.get(product);
        }
    }

    static class Catalogue {
        private final Store store;
        private final Map<Integer, Integer> cache = new HashMap<>();
        private int shown;

        Catalogue(Store store) {
            this.store = store;
        }

        int priceOf(int product) {
            Integer known = cache.get(product);
            if (known == null) {
                known = store.read(product);
                cache.put(product, known);
            }
            return known;
        }

        void change(long product, int price) {
            store.put(product, price);
            forget(product);
        }

        void forget(long product) {
            cache.remove(product); // CAUSE: a Long is never equal to an Integer, so that nothing is removed
        }

        void list(int product) {
            shown = priceOf(product);
        }
    }

    public static void main(String[] args) {
        Store store = new Store();
        store.put(7, 100);
        Catalogue catalogue = new Catalogue(store);
        catalogue.list(7);
        catalogue.change(7, 120);
        catalogue.list(7);
        System.out.println("price of 7 is " + store.read(7) + ", the list shows " + catalogue.shown);
    }
}
