/**
 * Load ROUNDS THREADS: each thread makes events of random values, which no codec makes small, as many on any machine.
 * Prints what they add up to.
 */
public class Load implements Runnable {
    private final long[] last = new long[64];
    private final int rounds;

    Load(int rounds, long seed) {
        this.rounds = rounds;
        last[0] = seed;
    }

    static long next(long x) {
        x ^= x << 13;
        x ^= x >>> 7;
        return x ^ x << 17;
    }

    @Override
    public void run() {
        for (int round = 1; round < rounds; round++) last[round & 63] = next(last[round - 1 & 63]);
    }

    public static void main(String[] args) throws InterruptedException {
        Load[] loads = new Load[Integer.parseInt(args[1])];
        Thread[] threads = new Thread[loads.length];
        for (int i = 0; i < loads.length; i++)
            (threads[i] = new Thread(loads[i] = new Load(Integer.parseInt(args[0]), i + 1), "load-" + i)).start();
        long sum = 0;
        for (int i = 0; i < loads.length; i++) {
            threads[i].join();
            for (long v : loads[i].last) sum += v;
        }
        System.out.println("rounds " + args[0] + " sum " + sum);
    }
}
