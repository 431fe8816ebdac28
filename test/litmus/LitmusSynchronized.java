/** Messages under one monitor. `send` runs before the message is published, `recv` after it was seen (see run.sh). */
public class LitmusSynchronized {
    static int data, taken; // the message sent last, the one received last: always under LOCK
    static final Object LOCK = new Object();

    /** Waits a little, so that a waiting thread does not fill the trace; sleeping orders nothing. */
    static void pause(int tries) {
        if (tries < 20) Thread.onSpinWait(); else java.util.concurrent.locks.LockSupport.parkNanos(20_000);
    }

    static int send(int i) { return i; }
    static int recv(int i) { return i; }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Thread receiver = new Thread(() -> {
            int last = 0, tries = 0;
            while (last < rounds) {
                int seen;
                synchronized (LOCK) { taken = seen = data; }
                if (seen != last) { recv(last = seen); tries = 0; } else pause(tries++);
            }
        });
        receiver.start();
        for (int i = 1; i <= rounds; i++) {
            send(i);
            boolean full;
            int tries = 0;
            do { // at most a few messages ahead, so that most are seen
                synchronized (LOCK) {
                    full = data - taken > 40;
                    if (!full) data = i;
                }
                if (full) pause(tries++);
            } while (full);
        }
        receiver.join();
        System.out.println("done " + data);
    }
}
