import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Virtual threads that compute with local variables, arrays and frames they had on other carriers: they give way in
 * loops, in recursion, in handlers, in monitors, in locks and between two threads. What they noted is printed.
 */
// java: 21
// javac: --release 21 -g
// jvm: -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=6
// print: --event METHOD_PARAM
// agent: weave=ALL
// check: state.py
// agent: weave=ALL,timestamp=true
// check: state.py
// agent: weave=ALL,derive=off
// check: state.py
public class VirtualState {
    static final int THREADS = 12, ROUNDS = 60;
    static final ReentrantLock lock = new ReentrantLock();
    static final Object monitor = new Object();
    static long locked, monitored;

    static class Worker implements Runnable {
        final int tag;
        final StringBuilder notes = new StringBuilder();
        final int[] cells = new int[7];
        long state;

        Worker(int tag) {
            this.tag = tag;
            state = tag * 1_000_003L;
        }

        void note(int tag, int round, long hash, int cell) {
            notes.append(tag).append(' ').append(round).append(' ').append(hash).append(' ').append(cell).append('\n');
        }

        static void rest(int how) throws InterruptedException {
            switch (how % 4) {
                case 0 -> Thread.yield();
                case 1 -> Thread.sleep(0, 1000);
                case 2 -> LockSupport.parkNanos(1000);
                default -> { }
            }
        }

        long deep(int depth, long x) throws InterruptedException {
            if (depth == 0) {
                rest(tag + (int) (x & 3));
                if (x % 5 == 0)
                    throw new IllegalStateException("" + x);
                return x * 31 + 7;
            }
            long left = deep(depth - 1, x + depth);
            cells[depth % cells.length] += (int) left;
            rest(depth);
            return left ^ x << depth;
        }

        @Override
        public void run() {
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    long hash = state;
                    for (int i = 0; i < cells.length; i++) {
                        hash = hash * 6364136223846793005L + cells[i] + i;
                        if ((hash & 7) == 0)
                            rest(i);
                        cells[i] ^= (int) (hash >>> 33);
                    }
                    try {
                        hash += deep(4, hash & 1023);
                    } catch (IllegalStateException e) {
                        rest(1);
                        hash -= e.getMessage().length();
                    }
                    lock.lock();
                    try {
                        locked++;
                        rest(round);
                    } finally {
                        lock.unlock();
                    }
                    synchronized (monitor) {
                        monitored++;
                        rest(round + 1);
                    }
                    state = hash;
                    note(tag, round, hash, cells[round % cells.length]);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        List<Worker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        for (int i = 0; i < THREADS; i++) {
            Worker w = new Worker(i);
            workers.add(w);
            threads.add(Thread.ofVirtual().name("worker-" + i).start(w));
        }
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++)
                    queue.put(i * i);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        long[] sum = new long[1];
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                for (int i = 0; i < ROUNDS; i++)
                    sum[0] = sum[0] * 31 + queue.take();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        for (Thread t : threads)
            t.join();
        System.out.println(locked + " " + monitored + " " + sum[0]);
        for (Worker w : workers)
            System.out.print(w.notes);
    }
}
