// Values of every kind, a loop, calls in calls, a static, an array, a monitor: what a session is asked about.
public class Shop {
    static class Item {
        final String name;
        long price;
        double weight;
        Item next;
        Item(String name, long price) {
            this.name = name;
            this.price = price;
        }
        long total(int count) {
            long sum = 0;
            for (int i = 0; i < count; i++) {
                sum = add(sum, price);
            }
            return sum;
        }
        static long add(long a, long b) { return a + b; }
    }

    static int sold;
    static final Object lock = new Object();

    static long sell(Item item, int count) {
        long paid = item.total(count);
        synchronized (lock) {
            sold += count;
            item.price = item.price + 1;
        }
        return paid;
    }

    static int depth(int n) {
        if (n == 0)
            return 0;
        return 1 + depth(n - 1);
    }

    public static void main(String[] args) {
        Item tea = new Item("tea", 5000000000L);
        tea.weight = 0.1;
        tea.next = new Item("cup", 3);
        int[] counts = new int[300];
        char mark = 'x';
        boolean open = true;
        long all = 0;
        for (int round = 0; round < 4; round++) {
            counts[round] = round * 7;
            all = all + sell(round == 2 ? tea.next : tea, round + 1);
        }
        counts[299] = depth(50);
        System.out.println(all + " " + mark + open + counts[299] + sold);
    }
}
