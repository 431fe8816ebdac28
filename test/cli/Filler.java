/**
 * Filler THREADS ROUNDS: the same calls with the same values whenever it runs, which no codec can foresee; new threads
 * and exceptions also at the end.
 */
public class Filler {
    static class Part {
        final long value;
        Part(long value) { this.value = value; if (value % 4096 == 17) throw new IllegalStateException("part"); }
    }

    static class Special extends Part {
        Special(long value) { super(value); }
    }

    static long next(long x) { return x ^ x << 13 ^ (x ^ x << 13) >>> 7; }

    static long work(long seed, int rounds) {
        long x = seed;
        int thrown = 0;
        for (int i = 0; i < rounds; i++) {
            x = next(x * 6364136223846793005L + 1442695040888963407L);
            try {
                if ((x & 63) == 0)
                    x += new Special(x).value;
            } catch (IllegalStateException e) {
                thrown++;
            }
        }
        return x + thrown;
    }

    static void all(String name, int threads, int rounds) throws Exception {
        Thread[] t = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            long seed = i + 1;
            t[i] = new Thread(() -> System.out.println(name + " " + work(seed, rounds)), name + i);
            t[i].start();
            if (threads == 1 || i % 2 == 1)
                t[i].join();
        }
        for (Thread one : t)
            one.join();
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), rounds = Integer.parseInt(args[1]);
        all("first", threads, rounds);
        all("second", threads, rounds / 8);
    }
}
