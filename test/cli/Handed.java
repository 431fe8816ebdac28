import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Two threads throw and catch N exceptions each. Threads that have very many events, whose chunks are stored long
 * before theirs, then use every other one. */
class Handed extends Thread {
    static final SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    static final int THROWERS = 2;
    static volatile int left = THROWERS;
    static IllegalStateException[] all;
    final int rounds, number;
    int sum;

    Handed(int rounds, int number) {
        this.rounds = rounds;
        this.number = number;
    }

    int refuse(int i) {
        throw all[i * THROWERS + number];
    }

    void refuseAll() throws InterruptedException {
        for (int i = 0; i < rounds; i++)
            try {
                sum += refuse(i);
            } catch (IllegalStateException e) {
                if (i % 2 == 0)
                    queue.offer(i * THROWERS + number, 1, TimeUnit.MINUTES);
            }
        synchronized (queue) {
            left--;
        }
    }

    void work() {
        while (left > 0) {
            Integer other = queue.poll();
            if (other != null)
                sum += all[other].getMessage().length();
            for (int k = 0; k < 3000; k++)
                sum = sum * 31 + k;
        }
    }

    public void run() {
        try {
            if (number < THROWERS)
                refuseAll();
            else
                work();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Handed[] threads = new Handed[6];
        all = new IllegalStateException[rounds * THROWERS];
        for (int i = 0; i < all.length; i++)
            all[i] = new IllegalStateException("round " + i % 3);
        for (int i = 0; i < threads.length; i++)
            (threads[i] = new Handed(rounds, i)).start();
        for (Handed h : threads)
            h.join();
    }
}
