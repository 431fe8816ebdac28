import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What differs in every run, an order and a time, before what is asked for: a limit. */
public class Noisy {
    static int limit(int n, int max) {
        if (n > max) return max;
        return n;
    }

    static boolean odd(int n) {
        if (n % 2 != 0) return true;
        return false;
    }

    static int count(List<Integer> numbers) {
        int sum = 0;
        for (int n : numbers) {
            if (odd(n)) sum += n;
        }
        return sum;
    }

    static long time() { return System.nanoTime(); }

    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 20; i++) numbers.add(i);
        Collections.shuffle(numbers, new Random(Integer.parseInt(args[1])));
        long begin = time();
        count(numbers);
        limit(5, Integer.parseInt(args[0]));
        System.out.println(time() - begin);
    }
}
