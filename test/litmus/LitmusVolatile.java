/** Messages through a ring of plain array elements, published by a volatile counter. */
public class LitmusVolatile {
    static final int RING = 256;
    static final int[] RINGS = new int[RING];
    static volatile int published, consumed;

    /** Waits a little, so that a waiting thread does not fill the trace; sleeping orders nothing. */
    static void pause(int tries) {
        if (tries < 20) Thread.onSpinWait(); else java.util.concurrent.locks.LockSupport.parkNanos(20_000);
    }

    static int send(int i) { return i; }
    static int recv(int i) { return i; }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Thread receiver = new Thread(() -> {
            int next = 1, tries = 0;
            while (next <= rounds) {
                int limit = published;
                if (limit < next) { pause(tries++); continue; }
                tries = 0;
                for (; next <= limit; next++) recv(RINGS[next % RING]);
                consumed = limit;
            }
        });
        receiver.start();
        for (int i = 1; i <= rounds; i++) {
            for (int tries = 0; i - consumed > RING; ) pause(tries++);
            send(i);
            RINGS[i % RING] = i;
            published = i;
        }
        receiver.join();
        System.out.println("done " + published);
    }
}
