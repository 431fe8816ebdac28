// java: 21
// javac: -g --release 21
// agent: weave=ALL
// check: races_virtual.py
// Threads that the library makes and starts at once. What a thread did is before what is behind its end, however that
// is seen; fields race as their names say.
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

public class RacesVirtual {
    static int safeStarted, safeJoined, safePlatform, safeStatic, safeDuration, safeAlive, safeUnstarted;
    static int racyBoth, racyTimedOut, racyAfterStart;
    static volatile boolean go;

    static void until(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) Thread.sleep(1);
    }

    static void ends() throws InterruptedException {
        safeStarted = 1;
        Thread.ofVirtual().start(() -> safeJoined += safeStarted).join();
        safeJoined++;
        Thread platform = Thread.ofPlatform().start(() -> safePlatform++);
        platform.join();
        safePlatform++;
        Thread.startVirtualThread(() -> safeStatic++).join();
        safeStatic++;
        Thread named = Thread.ofVirtual().name("named").start(() -> safeDuration++);
        while (!named.join(Duration.ofMillis(20))) Thread.yield();
        safeDuration++;
        Thread alive = Thread.ofVirtual().start(() -> safeAlive++);
        while (alive.isAlive()) Thread.sleep(1);
        safeAlive++;
        Thread later = Thread.ofVirtual().unstarted(() -> safeUnstarted++);
        later.start();
        later.join();
        safeUnstarted++;
    }

    static void races() throws InterruptedException {
        Thread first = Thread.ofVirtual().start(() -> racyBoth++);
        until(first, Thread.State.TERMINATED);
        Thread second = Thread.ofVirtual().start(() -> racyBoth++);
        first.join();
        second.join();
        Thread waits = Thread.ofVirtual().start(() -> {
            racyTimedOut = 1;
            while (!go) LockSupport.parkNanos(1_000_000);
        });
        while (racyTimedOut == 0) Thread.sleep(1);
        if (waits.join(Duration.ofMillis(1))) throw new IllegalStateException();
        racyTimedOut = 2;
        Thread after = Thread.ofPlatform().start(() -> racyAfterStart++);
        racyAfterStart = 5;
        after.join();
        go = true;
        waits.join();
    }

    public static void main(String[] args) throws Exception {
        ends();
        races();
        System.out.println(safeJoined + safePlatform + safeStatic + safeDuration + safeAlive + safeUnstarted);
    }
}
