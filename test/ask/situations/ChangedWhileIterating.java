// ConcurrentModificationException: a list is changed while a loop goes over it, far away from the loop.
// ask: hindsight record -o T -- java -cp classes ChangedWhileIterating
// answer: java.util.ConcurrentModificationException
// ask: hindsight exceptions T
// answer: {thrown} - * java.util.ConcurrentModificationException#* at *Cart.checkAll
// ask: hindsight locals --at {thrown} T
// answer: 0 *Cart.checkAll
// answer: this *Cart#{cart}
// ask: hindsight object {cart} T
// answer: *Cart.items ArrayList#{list}
// ask: hindsight print --object {list} --event CALL --to {thrown} T
// answer: CALL ArrayList#{list} [*] *Cart.checkAll:* *iterator
// answer: CALL ArrayList#{list} [*] *Cart.drop:{CAUSE} *remove
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
