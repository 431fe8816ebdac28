// Fields that race and fields that do not: their names say it. Each idiom has threads of its own.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

public class Races {
    int racyPlain, racyWrongLock, racyBeforeVolatile, racyReadOnly, racyAfterStart, racyInTurns;
    int safeBlock, safeMethod, safeVolatile, safeStarted, safeJoined, safeWait;
    int safeLock, safeQueue, safeLatch, safeReads, safeNested, safeNotAlive;
    static int racyStatic, safeStatic;
    volatile boolean ready;
    volatile int volatileCount;
    boolean told;
    final int[] shared = new int[4];
    static final ReentrantLock lock = new ReentrantLock();

    static class Table {
        static int[] safeTable;
        static {
            safeTable = new int[] { 1, 2, 3 };
            safeTable[1] = 7;
        }
    }

    synchronized void method() {
        safeMethod++;
    }

    static synchronized void ofClass() {
        safeStatic++;
    }

    static class Own extends Thread {
        final Races of;

        Own(Races of) {
            super("own");
            this.of = of;
        }

        @Override
        public void run() {
            of.safeStarted++;
            of.safeJoined++;
            of.racyAfterStart++;
        }
    }

    /** Two threads write in turns: each write is the first of a pair, and the second of another. */
    static void inTurns(IntConsumer write) {
        for (int i = 0; i < 4; i++) {
            write.accept(i);
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Runs both at once and waits for them. */
    static void both(String name, Runnable a, Runnable b) throws Exception {
        Thread first = new Thread(a, name + " a"), second = new Thread(b, name + " b");
        first.start();
        second.start();
        first.join();
        second.join();
    }

    void passedOn() throws Exception {
        both("volatile", () -> {
            safeVolatile = 1;
            ready = true;
            racyBeforeVolatile = 1;
        }, () -> {
            while (!ready)
                Thread.onSpinWait();
            safeVolatile++;
            racyBeforeVolatile++;
        });
        both("wait", () -> {
            synchronized (this) {
                safeWait = 1;
                told = true;
                notifyAll();
            }
        }, () -> {
            synchronized (this) {
                while (!told)
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        return;
                    }
            }
            safeWait++;
        });
        ArrayBlockingQueue<Races> queue = new ArrayBlockingQueue<>(1);
        both("queue", () -> {
            safeQueue = 1;
            queue.add(this);
        }, () -> {
            try {
                queue.take().safeQueue++;
            } catch (InterruptedException e) {
                return;
            }
        });
        CountDownLatch latch = new CountDownLatch(1);
        both("latch", () -> {
            safeLatch = 1;
            latch.countDown();
        }, () -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                return;
            }
            safeLatch++;
        });
    }

    void locked() throws Exception {
        Object one = new Object(), other = new Object();
        both("plain", () -> racyPlain++, () -> racyPlain++);
        both("turns", () -> inTurns(i -> racyInTurns = i), () -> inTurns(i -> racyInTurns = -i));
        both("static", () -> racyStatic++, () -> racyStatic++);
        both("block", () -> {
            synchronized (one) {
                safeBlock++;
            }
        }, () -> {
            synchronized (one) {
                safeBlock++;
            }
        });
        both("wrong", () -> {
            synchronized (one) {
                racyWrongLock++;
            }
        }, () -> {
            synchronized (other) {
                racyWrongLock++;
            }
        });
        both("method", this::method, this::method);
        both("class", Races::ofClass, Races::ofClass);
        both("volatile count", () -> volatileCount++, () -> volatileCount++);
        Runnable locking = () -> {
            lock.lock();
            try {
                safeLock++;
            } finally {
                lock.unlock();
            }
        };
        both("lock", locking, locking);
        both("nested", () -> {
            synchronized (one) {
                method();
                safeNested++;
            }
        }, () -> {
            synchronized (one) {
                safeNested++;
            }
        });
        both("elements", () -> shared[0]++, () -> shared[1]++);
        both("element", () -> shared[3]++, () -> shared[3]++);
        both("initialiser", () -> use(Table.safeTable[1]), () -> use(Table.safeTable[1]));
        both("reads", () -> use(safeReads), () -> use(safeReads));
        both("read", () -> use(racyReadOnly), () -> racyReadOnly = 1);
    }

    void collections() throws Exception {
        Map<String, Integer> racyMap = new HashMap<>();
        ArrayList<Integer> racyList = new ArrayList<>(4);
        LinkedList<String> safeLocked = new LinkedList<>();
        HashSet<String> safeReadOnly = new HashSet<>();
        safeReadOnly.add("before both");
        both("map", () -> racyMap.put("a", 1), () -> use(racyMap.size()));
        both("list", () -> racyList.add(1), () -> racyList.add(2));
        Runnable adding = () -> {
            synchronized (safeLocked) {
                safeLocked.add("x");
            }
        };
        both("locked list", adding, adding);
        both("read set", () -> use(safeReadOnly.size()), () -> use(safeReadOnly.size()));
        use(racyMap.size() + racyList.size());
    }

    static void use(int value) {
        if (value < 0)
            throw new IllegalStateException();
    }

    void started() throws Exception {
        Own own = new Own(this);
        safeStarted = 5;
        own.start();
        racyAfterStart = 5;
        own.join();
        use(safeJoined);
        Thread late = new Thread(() -> safeNotAlive = 1, "late");
        late.start();
        while (late.isAlive())
            Thread.sleep(1);
        use(safeNotAlive);
        late.join();
    }

    public static void main(String[] args) throws Exception {
        Races r = new Races();
        r.safeReads = 1;
        r.locked();
        r.passedOn();
        r.started();
        r.collections();
    }
}
