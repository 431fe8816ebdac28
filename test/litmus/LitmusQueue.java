import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Messages through library code that is not woven: four queues, an atomic reference, and a semaphore. */
// labels: slow
// groups: EXEC+CALL+PARAM EXEC+PARAM CALL+PARAM ALL
public class LitmusQueue {
    /** Waits a little, so that a waiting thread does not fill the trace; sleeping orders nothing. */
    static void pause(int tries) {
        if (tries < 20) Thread.onSpinWait(); else java.util.concurrent.locks.LockSupport.parkNanos(20_000);
    }

    static int send(int i) { return i; }
    static int recv(int i) { return i; }

    static void pass(BlockingQueue<Integer> queue, int from, int to) throws Exception {
        Thread receiver = new Thread(() -> {
            try {
                for (int i = from; i < to; i++) recv(queue.take());
            } catch (InterruptedException e) { throw new IllegalStateException(e); }
        });
        receiver.start();
        for (int i = from; i < to; i++) { send(i); queue.put(i); }
        receiver.join();
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]), part = rounds / 5;
        pass(new ArrayBlockingQueue<>(64), 1, part);
        pass(new LinkedBlockingQueue<>(256), part, 2 * part);
        pass(new LinkedTransferQueue<>(), 2 * part, 3 * part);
        pass(new SynchronousQueue<>(), 3 * part, 3 * part + part / 10);
        AtomicReference<Integer> box = new AtomicReference<>();
        int from = 3 * part + part / 10, to = 4 * part;
        Thread taker = new Thread(() -> {
            for (int i = from; i < to; ) {
                Integer v = box.getAndSet(null);
                if (v != null) { recv(v); i++; } else Thread.yield();
            }
        });
        taker.start();
        for (int i = from; i < to; i++) { send(i); while (!box.compareAndSet(null, i)) Thread.yield(); }
        taker.join();
        AtomicInteger count = new AtomicInteger(to - 1);
        Thread counter = new Thread(() -> {
            for (int i = to; i < rounds; ) {
                int now = count.getAcquire();
                for (; i <= now && i < rounds; i++) recv(i);
                pause(30);
            }
        });
        counter.start();
        for (int i = to; i < rounds; i++) { send(i); count.setRelease(i); }
        counter.join();
        System.out.println("done " + count.get());
    }
}
