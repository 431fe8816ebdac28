import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Many objects of which some are given to code that is not woven, before or after their fields were accessed. */
public class Lent {
    static class Item {
        final int id;
        int n;

        Item(int id) { this.id = id; }
    }
    static long seen;

    public static void main(String[] args) {
        Item[] all = new Item[60];
        List<Item> shelf = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < all.length; i++) {
            all[i] = new Item(i);
            all[i].n = i % 4 == 0 ? 1 : 2 * i;
        }
        for (int i = 0; i < 500; i++) {
            Item item = all[random.nextInt(all.length)];
            int what = random.nextInt(5);
            if (what == 0) shelf.add(item);
            else if (what < 3) item.n = random.nextInt(100);
            else seen += item.n + item.id;
        }
        System.out.println(seen);
    }
}
