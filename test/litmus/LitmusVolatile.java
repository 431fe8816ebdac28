/** Messages through a ring of plain array elements, published by a volatile counter. */
public class LitmusVolatile {
    static final int RING = 256;
    static final int[] RINGS = new int[RING];
    static volatile int published, consumed;

    static int send(int i) { return i; }
    static int recv(int i) { return i; }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Thread receiver = new Thread(() -> {
            int next = 1;
            while (next <= rounds) {
                int limit = published;
                if (limit < next) { Thread.onSpinWait(); continue; }
                for (; next <= limit; next++) recv(RINGS[next % RING]);
                consumed = limit;
            }
        });
        receiver.start();
        for (int i = 1; i <= rounds; i++) {
            while (i - consumed > RING) Thread.onSpinWait();
            send(i);
            RINGS[i % RING] = i;
            published = i;
        }
        receiver.join();
        System.out.println("done " + published);
    }
}
