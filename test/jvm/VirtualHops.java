import java.util.concurrent.CountDownLatch;

/**
 * A virtual thread that goes from carrier to carrier and back, with nobody else on them in between: its events stay in
 * its order.
 */
// java: 21
// javac: --release 21 -g
// jvm: -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
// print: --event METHOD_PARAM
// agent: weave=EXEC+CALL+PARAM
// count: 40000 METHOD_PARAM VirtualHops.step(
// agent: weave=ALL
// check: hops.py
public class VirtualHops {
    static final int THREADS = 2, STEPS = 20_000;
    static long step(long n) { return n + 1; }

    public static void main(String[] args) throws Exception {
        CountDownLatch done = new CountDownLatch(THREADS);
        for (int t = 0; t < THREADS; t++) {
            long tag = (long) t << 40;
            Thread.ofVirtual().name("hopper-" + t).start(() -> {
                for (int i = 0; i < STEPS; i++) {
                    step(tag + i);
                    if (i % 16 == 0) Thread.yield();
                    if (i % 1024 == 0) try { Thread.sleep(1); } catch (InterruptedException e) { return; }
                }
                done.countDown();
            });
        }
        done.await();
        System.out.println("done");
    }
}
