/** Two threads that call, throw, wait for a lock and for time: pieces of a trace of more than four chunks. */
public class Lanes {
    static final Object LOCK = new Object();
    static int sum;

    static int deep(int n) {
        return n == 0 ? 1 : 1 + deep(n - 1);
    }

    static void odd(int n) {
        if (n % 7 == 0) throw new IllegalStateException();
    }

    static void work(int rounds) {
        for (int i = 0; i < rounds; i++) {
            sum += deep(i % 50);
            try {
                odd(i);
            } catch (IllegalStateException e) {
                sum--;
            }
        }
    }

    static void locked() {
        synchronized (LOCK) {
            sum++;
        }
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            work(700);
            locked();
            work(700);
        }, "other");
        synchronized (LOCK) {
            other.start();
            while (other.getState() != Thread.State.BLOCKED) Thread.sleep(1);
            Thread.sleep(1000);
        }
        work(700);
        other.join();
    }
}
