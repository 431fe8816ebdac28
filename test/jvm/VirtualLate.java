import java.util.concurrent.CountDownLatch;

/**
 * The first virtual thread starts while platform threads run and load classes: with derive=on hooks recorded inputs
 * alone up to there (logging/agent/virtual_threads.c). Every event is there, of all threads.
 */
// labels: slow
// java: 21
// javac: --release 21 -g
// agent: weave=ALL,derive=on
// agent: weave=ALL
// count: 90 METHOD_ENTRY VirtualLate.sum(
// count: 27000 ARRAY_LOAD VirtualLate.sum(
// count: 9 PUT_STATIC_FIELD VirtualLate$
public class VirtualLate {
    static final int[] CELLS = new int[300];

    static int sum(int times) {
        int sum = times;
        for (int i = 0; i < CELLS.length; i++) {
            if ((i & 3) == 0) sum += CELLS[i];
            else sum ^= CELLS[i] + i;
        }
        return sum;
    }

    static class A { static int of = sums(); }
    static class B { static int of = sums(); }
    static class C { static int of = sums(); }
    static class D { static int of = sums(); }
    static class E { static int of = sums(); }
    static class F { static int of = sums(); }
    static class G { static int of = sums(); }
    static class H { static int of = sums(); }
    static class I { static int of = sums(); }

    static int sums() {
        int sum = 0;
        for (int i = 0; i < 5; i++) sum += sum(i);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < CELLS.length; i++) CELLS[i] = i * 31;
        int[] results = new int[4];
        CountDownLatch ready = new CountDownLatch(1);
        Thread[] threads = {
            new Thread(() -> { ready.countDown(); results[0] = A.of + B.of + C.of; }),
            new Thread(() -> { results[1] = D.of; results[1] += E.of; results[1] += F.of; }),
            Thread.ofVirtual().unstarted(() -> {
                results[2] = G.of + H.of;
                for (int i = 0; i < 25; i++) results[2] += sum(i);
            }),
            Thread.ofVirtual().unstarted(() -> {
                results[3] = I.of;
                Thread.yield();
                for (int i = 0; i < 20; i++) results[3] += sum(i);
            }),
        };
        threads[0].start();
        ready.await();
        for (int i = 1; i < threads.length; i++) threads[i].start();
        for (Thread t : threads) t.join();
        System.out.println(results[0] + results[1] + results[2] + results[3]);
    }
}
