// Classes of the program that extend those of the library: what a call does is what the class that declares the method
// does. And accesses of atomic variables that order nothing.
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

public class RacesInherited {
    static int safeLock, safeSuper, safeSync, safeQueue, safeCount, safeCondition, safeReleased, safeServed;
    static int racyOwn, racyPlain, racyOpaque, racyWeak, racyService;

    static class Lock extends ReentrantLock {
        /** Its own, which locks nothing. */
        void pass() { }
    }

    static class Counted extends Lock {
        int count;

        @Override
        public void lock() {
            super.lock();
            count++;
        }
    }

    static class Mutex {
        final Sync sync = new Sync();

        static class Sync extends AbstractQueuedSynchronizer {
            @Override
            protected boolean tryAcquire(int one) { return compareAndSetState(0, 1); }

            @Override
            protected boolean tryRelease(int one) {
                setState(0);
                return true;
            }
        }

        void lock() { sync.acquire(1); }

        void unlock() { sync.release(1); }
    }

    static class Queue extends LinkedBlockingQueue<String> { }

    static class Counter extends AtomicInteger { }

    static class Names extends ArrayList<String> {
        int size; // of its own; the lock is held
    }

    /** No thread, though it is started as one is. */
    static class Service {
        void start() { racyService++; }

        void join() { }
    }

    static void both(Runnable task) throws InterruptedException { both(task, task); }

    static void both(Runnable a, Runnable b) throws InterruptedException {
        Thread first = new Thread(a), second = new Thread(b);
        first.start();
        second.start();
        first.join();
        second.join();
    }

    static void until(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    /** The second one begins when the first has ended, which is not known to order them. */
    static void inTurn(Runnable a, Runnable b) throws InterruptedException {
        Thread first = new Thread(a), second = new Thread(b);
        first.start();
        until(first, Thread.State.TERMINATED);
        second.start();
        first.join();
        second.join();
    }

    static void locks() throws InterruptedException {
        Lock lock = new Lock(), passed = new Lock();
        both(() -> {
            lock.lock();
            safeLock++;
            lock.unlock();
        });
        Counted counted = new Counted();
        both(() -> {
            counted.lock();
            safeSuper++;
            counted.unlock();
        });
        Mutex mutex = new Mutex();
        both(() -> {
            mutex.lock();
            safeSync++;
            mutex.unlock();
        });
        inTurn(() -> {
            racyOwn++;
            passed.pass();
        }, () -> {
            passed.pass();
            racyOwn++;
        });
        Condition changed = lock.newCondition();
        lock.lock();
        Thread other = new Thread(() -> {
            lock.lock();
            safeCondition++;
            changed.signal();
            lock.unlock();
        });
        other.start();
        while (safeCondition == 0) changed.await();
        safeCondition++;
        lock.unlock();
        other.join();
    }

    static void atomics() throws InterruptedException {
        Queue queue = new Queue();
        both(() -> {
            safeQueue++;
            queue.add("done");
        }, () -> {
            try {
                queue.take();
            } catch (InterruptedException e) {
                return;
            }
            safeQueue++;
        });
        Counter counter = new Counter();
        both(() -> {
            safeCount++;
            counter.set(1);
        }, () -> {
            while (counter.get() == 0) Thread.onSpinWait();
            safeCount++;
        });
        both(() -> {
            safeReleased++;
            counter.setRelease(2);
        }, () -> {
            while (counter.getAcquire() != 2) Thread.onSpinWait();
            safeReleased++;
        });
        both(() -> {
            racyPlain++;
            counter.setPlain(3);
        }, () -> {
            for (int i = 0; counter.getPlain() != 3 && i < 100_000; i++) Thread.onSpinWait();
            racyPlain++;
        });
        AtomicReference<String> opaque = new AtomicReference<>();
        both(() -> {
            racyOpaque++;
            opaque.setOpaque("done");
        }, () -> {
            while (opaque.getOpaque() == null) Thread.onSpinWait();
            racyOpaque++;
        });
        inTurn(() -> {
            racyWeak++;
            counter.weakCompareAndSetPlain(3, 4);
        }, () -> {
            counter.weakCompareAndSetPlain(4, 5);
            racyWeak++;
        });
    }

    static void waits() throws InterruptedException {
        List<String> names = new Names(), told = new ArrayList<>();
        inTurn(() -> names.add("a"), () -> names.add("b")); // a race: calls of methods that ArrayList declares
        Thread taker = new Thread(() -> {
            synchronized (told) {
                try {
                    while (told.isEmpty()) told.wait();
                } catch (InterruptedException e) {
                    return;
                }
                told.remove(0);
            }
        });
        taker.start();
        until(taker, Thread.State.WAITING);
        synchronized (told) {
            told.add("one");
            told.notifyAll();
        }
        taker.join();
    }

    public static void main(String[] args) throws Exception {
        locks();
        atomics();
        waits();
        Service service = new Service();
        inTurn(() -> service.start(), () -> racyService++);
        service.join();
        System.out.println(safeLock + safeSuper + safeSync + safeQueue + safeCount + safeCondition + safeReleased);
    }
}
