import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * Situations [waits]: the same each time, in two threads one after the other and in the main thread. waits: says so
 * before the second half, and goes on when a line comes. Situations random N: values that cannot be packed.
 */
public class Situations {
    static final class Stock {
        int count;
        long secret;
        String name;

        Stock(String name, int count) {
            this.name = name;
            this.count = count;
        }

        int take(int n) {
            if (n > count)
                throw new IllegalStateException(name + " has " + count);
            synchronized (this) {
                count -= n;
            }
            secret ^= (long) n << count % 40;
            return count;
        }
    }

    static long kept;

    static int tried(Stock stock, int n) {
        try {
            return stock.take(n);
        } catch (IllegalStateException e) {
            stock.count += 3;
            return -n;
        } finally {
            kept++;
        }
    }

    static double matrix(int size) {
        double[][] a = new double[size][size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                a[i][j] = i / (j + 1.0f) + (j > 0 ? a[i][j - 1] : 0);
        return a[size - 1][size - 1];
    }

    static int work(String name, int rounds) {
        List<Stock> all = new ArrayList<>();
        for (String item : new String[] { "nut", "bolt", name })
            all.add(new Stock(item, item.length() * 5));
        // one that captures nothing is another object when its class is woven again
        int step = name.length() % 2 + 7;
        IntUnaryOperator next = i -> i * step % 5;
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += tried(all.get(i % 3), next.applyAsInt(i));
            Object o = i % 4 == 0 ? (Object) Integer.valueOf(sum) : name.concat("-" + i);
            switch (o instanceof String ? i % 3 : 3) {
                case 0 -> sum++;
                case 1 -> sum ^= o.toString().length();
                default -> sum += (int) (all.get(0).secret % 11);
            }
        }
        return sum + (int) matrix(6);
    }

    static void keep(long value) { kept ^= value; }

    public static void main(String[] args) throws Exception {
        if (args.length > 1) {
            Random random = new Random(1);
            for (int i = Integer.parseInt(args[1]); i > 0; i--)
                keep(random.nextLong());
            return;
        }
        for (int i = 0; i < 2; i++) {
            String name = "worker-" + i;
            Thread thread = new Thread(() -> System.out.println(work(name, 100)), name);
            thread.start();
            thread.join();
            if (i == 0 && args.length > 0) {
                System.out.println("ready");
                System.in.read();
            }
        }
        System.out.println(work("main", 300) + kept);
    }
}
