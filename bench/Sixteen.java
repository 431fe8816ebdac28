import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Sixteen KIND ROUNDS: sixteen threads that are done after so many rounds of all together; bench_drains.c simulates
 * threads that store what they record. `alone`: nothing is shared; `locks`: each round ends in one of four monitors;
 * `queue`: four threads put rounds into a bounded queue, twelve take them; `dominant`: one does ten of 25 rounds.
 */
public class Sixteen {
    static final int THREADS = 16, PUTTING = 4, ROOM = 64;

    static final class Account {
        final int[] parts = new int[16];
        final Map<Integer, Integer> sums = new HashMap<>();
        long booked;

        void book(int part, int amount) {
            parts[part & 15] += amount;
            booked += amount;
        }

        /** A round: some thousand events. */
        void round(int n) {
            for (int i = 0; i < 100; i++)
                book(n + i, i ^ n);
            sums.merge(n % 31, parts[n & 15], Integer::sum);
        }
    }

    static final class Queue {
        private final ArrayDeque<Integer> items = new ArrayDeque<>();

        synchronized void put(int n) throws InterruptedException {
            while (items.size() >= ROOM)
                wait();
            items.add(n);
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (items.isEmpty())
                wait();
            int n = items.remove();
            notifyAll();
            return n;
        }
    }

    static final Account[] shared = { new Account(), new Account(), new Account(), new Account() };
    static final Queue queue = new Queue();

    static int share(int rounds, int thread, String kind) {
        if (kind.equals("dominant"))
            return thread == 0 ? rounds / 25 * 10 : rounds / 25;
        return rounds / THREADS;
    }

    static void work(String kind, int thread, int rounds) throws InterruptedException {
        Account own = new Account();
        if (kind.equals("queue") && thread < PUTTING) {
            for (int n = 0; n < rounds / PUTTING; n++)
                queue.put(n);
            return;
        }
        boolean takes = kind.equals("queue");
        int count = takes ? rounds / PUTTING * PUTTING / (THREADS - PUTTING) : share(rounds, thread, kind);
        for (int n = 0; n < count; n++) {
            own.round(takes ? queue.take() : n);
            if (!kind.equals("locks"))
                continue;
            Account other = shared[(n + thread) % shared.length];
            synchronized (other) {
                for (int i = 0; i < 5; i++)
                    other.book(n + i, i);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            threads[i] = new Thread(() -> {
                try {
                    work(args[0], thread, Integer.parseInt(args[1]));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }, "sixteen-" + i);
        }
        for (Thread t : threads)
            t.start();
        for (Thread t : threads)
            t.join();
    }
}
