import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A run that does other things for each word among its arguments. Switch is not woven. */
public class Runs {
    static class Item {
        final int number;
        Item(int number) { this.number = number; }
        int twice() { return number * 2; }
    }

    static void log(String text) { }

    static int price(int count, String name) {
        if (count == 3 && Switch.on("branch")) {
            return count * 7;
        }
        return count * 5;
    }

    static int extra(int n) { return n == 0 ? 0 : extra(n - 1) + 1; }

    static void check(int n) {
        if (Switch.on("halt")) Runtime.getRuntime().halt(0);
        if (Switch.on("thrown")) throw new IllegalStateException("at " + n);
    }

    static Item pick(Item first, Item second) { return Switch.on("identity") ? second : first; }

    static int step(int i) {
        log("step " + i);
        if (i == 4 && Switch.on("call")) {
            extra(3);
            extra(1);
            new Item(7);
        }
        for (int k = 0; i == 5 && k < 700 && Switch.on("long"); k++) extra(0);
        return price(i, i == 2 && Switch.on("value") ? "paper" : "pencil");
    }

    static void work(List<Item> items) {
        int rounds = Thread.currentThread().getName().equals("w2") && Switch.on("worker") ? 3 : 2;
        for (int i = 0; i < rounds; i++) {
            items.add(new Item(i));
            items.get(i).twice();
        }
    }

    static int rate() { return Switch.on("value") ? 6 : 3; }

    static void run() throws InterruptedException {
        for (int i = 0; i < 6; i++) step(i);
        try {
            check(1);
        } catch (IllegalStateException e) {
            log("caught");
        }
        pick(new Item(1), new Item(2)).twice();
        for (int i = 1; i <= (Switch.on("thread") ? 3 : 2); i++) {
            Thread t = new Thread(() -> work(new ArrayList<>()), "w" + i);
            t.start();
            t.join();
        }
        for (int i = 0; i < 3; i++) rate();
    }

    public static void main(String[] args) throws InterruptedException {
        Switch.words = Arrays.asList(args);
        run();
    }
}

class Switch {
    static List<String> words;

    static boolean on(String word) { return words.contains(word); }
}
