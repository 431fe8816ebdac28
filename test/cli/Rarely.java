/** 400 objects whose fields are written and read rarely and unevenly, among millions of other events. Prints what each
 * field holds in the end, as "NUMBER NAME VALUE". */
class Rarely {
    static class Item {
        final int number;
        int count;
        long sum = -1;

        Item(int number) { this.number = number; }
    }

    static class Other extends Item {
        int count; // hides that of Item

        Other(int number) { super(number); }
    }

    final Item[] items = new Item[400];
    long state = 7, busy;

    int next(int below) {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return (int) ((state >>> 33) % below);
    }

    void work(int rounds) {
        for (int i = 0; i < rounds; i++)
            busy += i & 3;
    }

    void run(int rounds) {
        for (int i = 0; i < items.length; i++)
            items[i] = i % 5 == 0 ? new Other(i) : new Item(i);
        for (int i = 0; i < rounds; i++) {
            Item item = items[next(next(400) + 1)]; // few of the last ones
            switch (next(4)) {
                case 0 -> item.count = next(6);
                case 1 -> item.sum += next(3);
                case 2 -> busy += item.number;
                default -> busy += item.count;
            }
            if (item instanceof Other other && next(3) == 0)
                other.count = next(6);
            work(100);
        }
    }

    public static void main(String[] args) {
        Rarely r = new Rarely();
        r.run(Integer.parseInt(args[0]));
        for (Item item : r.items) {
            System.out.println(item.number + " number " + item.number);
            System.out.println(item.number + " sum " + item.sum);
            System.out.println(item.number + " count " + (item instanceof Other other ? other.count : item.count));
        }
    }
}
