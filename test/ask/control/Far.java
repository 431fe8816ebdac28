// As Decides.java, of loops that are so long that `why` does not walk over all of their rounds.
import java.util.List;

public class Far {
    static final int ROUNDS = 150_000;

    static long rounds(int n, int depth) {
        long sum = 0;
        Log.in("call rounds");
        if (n > 3) {
            Log.in("n > 3|" + n + " > 3");
            for (int i = 0; i < n; i++) {
                sum += (long) i * n ^ sum >> 3;
                if (i % 30000 == 7 && depth == 0) { // the same branches in other frames
                    Log.in("i < n|" + i + " < " + n, "i % 30000 == 7|7 == 7", "depth == 0|0 == 0");
                    sum += rounds(5, 1);
                    Log.out(3);
                }
                if (i == n - 1) {
                    Log.in("i < n|" + i + " < " + n, "i == n - 1|" + i + " == " + i);
                    Log.ask("?last round");
                    Log.out(2);
                }
            }
            Log.ask("?behind loop");
            Log.out(1);
        }
        Log.out(1);
        return sum;
    }

    static long handler(int n) {
        Log.in("call handler");
        long sum = 0;
        try {
            if (n > 1) {
                Log.in("n > 1|" + n + " > 1");
                Log.throwing();
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            List<String> before = Log.caught("java.lang.IllegalStateException");
            int i = 0;
            while (i < n) {
                if (++i % 2 == 0) continue;
                sum += i;
                if (i >= n - 1) {
                    Log.in("i < n|" + (i - 1) + " < " + n, "i % 2 != 0|1 != 0", "i >= n - 1|" + i + " >= " + (n - 1));
                    Log.ask("?in handler");
                    Log.out(3);
                }
            }
            Log.leave(before, 1);
        }
        Log.ask("?behind handler");
        Log.out(1);
        return sum;
    }

    public static void main(String[] args) {
        long sum = rounds(ROUNDS, 0) + handler(ROUNDS);
        Log.ask("?end");
        System.err.println(sum);
    }
}
