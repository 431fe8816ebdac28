/* ConcurrentModificationException: a list is changed while a loop goes over it, far away from the loop.
 *
 * $ hindsight record -o T -- java -cp classes ChangedWhileIterating
 * > java.util.ConcurrentModificationException
 * $ hindsight exceptions T
 * > (?P<thrown>\d+) - .* java.util.ConcurrentModificationException#\d+.* at \S*Cart.checkAll
 * $ hindsight locals --at {thrown} T
 * > 0 \S*Cart.checkAll
 * > this \S*Cart#(?P<cart>\d+)
 * $ hindsight object {cart} T
 * > \S*Cart.items ArrayList#(?P<list>\d+)
 * $ hindsight print --object {list} --event CALL --to {thrown} T
 * > CALL ArrayList#{list} \[.*\] \S*Cart.checkAll:\d+ .*iterator
 * > CALL ArrayList#{list} \[.*\] \S*Cart.drop:{CAUSE} .*remove
 */
import java.util.ArrayList;
import java.util.List;

public class ChangedWhileIterating {
    static class Cart {
        private final List<String> items = new ArrayList<>();

        void checkAll(Stock stock) {
            for (String item : items)
                stock.check(item, this);
        }

        void drop(String item) {
            items.remove(item); // CAUSE: called by Stock.check, in the loop of checkAll
        }
    }

    static class Stock {
        void check(String item, Cart cart) {
            if (item.equals("pen"))
                cart.drop(item);
        }
    }

    public static void main(String[] args) {
        Cart cart = new Cart();
        cart.items.add("ink");
        cart.items.add("pen");
        cart.items.add("paper");
        cart.items.add("glue");
        cart.checkAll(new Stock());
    }
}
