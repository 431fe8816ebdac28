/** The tutorial's program: an order of 5 pens is refused although 12 were delivered. */
import java.util.ArrayList;
import java.util.List;

public class Stock {
    static class Item {
        final String name;
        int count;

        Item(String name) {
            this.name = name;
        }
    }

    final List<Item> items = new ArrayList<>();

    Item find(String name) {
        for (Item item : items)
            if (item.name.equals(name))
                return item;
        Item item = new Item(name);
        items.add(item);
        return item;
    }

    /** A line of the delivery note: a name, a blank, a count in two columns. */
    void deliver(String line) {
        int blank = line.indexOf(' ');
        Item item = find(line.substring(0, blank));
        int count = Integer.parseInt(line.substring(blank + 2));
        item.count = count;
    }

    void order(String name, int wanted) {
        Item item = find(name);
        if (item.count < wanted)
            throw new IllegalStateException(wanted + " of " + name + " wanted, there are " + item.count);
        item.count = item.count - wanted;
    }

    public static void main(String[] args) {
        Stock stock = new Stock();
        stock.deliver("ink  7");
        stock.deliver("pen 12");
        stock.order("pen", 5);
        System.out.println("all delivered");
    }
}
