// Threads that only library code orders, other than by calls on one object of java.util.concurrent alone.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

public class RacesLibrary {
    static int safeHandle, safeElement, safeAsked, safeTaken, safeCaught, safeAwait, safeReadLock, safeAction, safeMade;
    static int racyOpaque;
    static int flag, opaque;
    static final VarHandle FLAG, OPAQUE, ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(RacesLibrary.class, "flag", int.class);
            OPAQUE = MethodHandles.lookup().findStaticVarHandle(RacesLibrary.class, "opaque", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static Thread started(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    static void handles() {
        started(() -> {
            safeHandle = 1;
            FLAG.setRelease(1);
        });
        while ((int) FLAG.getAcquire() == 0) Thread.onSpinWait();
        safeHandle++;
        int[] array = new int[2];
        started(() -> {
            safeElement = 1;
            ELEMENT.compareAndSet(array, 1, 0, 1);
        });
        while ((int) ELEMENT.getVolatile(array, 1) == 0) Thread.onSpinWait();
        safeElement++;
        started(() -> {
            racyOpaque = 1;
            OPAQUE.setOpaque(1);
        });
        while ((int) OPAQUE.getOpaque() == 0) Thread.onSpinWait();
        racyOpaque++;
    }

    static void interrupts() {
        Thread main = Thread.currentThread();
        started(() -> {
            safeAsked = 1;
            main.interrupt();
        });
        while (!main.isInterrupted()) Thread.onSpinWait();
        safeAsked++;
        Thread.interrupted();
        started(() -> {
            safeTaken = 1;
            main.interrupt();
        });
        while (!Thread.interrupted()) Thread.onSpinWait();
        safeTaken++;
        started(() -> {
            safeCaught = 1;
            main.interrupt();
        });
        try {
            Thread.sleep(100_000);
        } catch (InterruptedException e) {
            safeCaught++;
        }
    }

    /** the lock is given up by await, and nobody signals */
    static void conditions() throws InterruptedException {
        Lock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        lock.lock();
        started(() -> {
            lock.lock();
            safeAwait++;
            lock.unlock();
        });
        while (safeAwait == 0) changed.await(1, TimeUnit.MILLISECONDS);
        safeAwait++;
        lock.unlock();
    }

    static void readLocks() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Lock reading = lock.readLock(), writing = lock.writeLock();
        started(() -> {
            writing.lock();
            safeReadLock = 1;
            writing.unlock();
        });
        for (int seen = 0; seen == 0;) {
            reading.lock();
            seen = safeReadLock;
            reading.unlock();
        }
    }

    static void callbacks() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2, () -> safeAction++);
        started(() -> {
            safeAction = 1;
            try {
                barrier.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        barrier.await();
        safeAction++;
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        started(() -> map.computeIfAbsent("a", key -> ++safeMade));
        while (map.get("a") == null) Thread.onSpinWait();
        safeMade++;
    }

    public static void main(String[] args) throws Exception {
        handles();
        interrupts();
        conditions();
        readLocks();
        callbacks();
        System.out.println(safeHandle + safeElement + safeAsked + safeTaken + safeCaught + safeAwait + safeAction);
    }
}
