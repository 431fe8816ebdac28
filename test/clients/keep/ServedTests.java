import static org.junit.Assert.*;

import java.util.concurrent.*;
import org.junit.*;
import org.junit.runners.MethodSorters;

/** Threads that work for a test that passes, and wait while one fails; of one nothing but that is recorded. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ServedTests {
    static final BlockingQueue<Integer> in = new LinkedBlockingQueue<>(), out = new LinkedBlockingQueue<>();

    static void serve() {
        try {
            while (true) out.put(in.take() + 1);
        } catch (InterruptedException e) {
            return;
        }
    }

    static Thread server;

    static Thread start(String name) {
        Thread thread = new Thread(ServedTests::serve, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Until it is where it waits. One that waits for a lock of put() still has events before it comes there. */
    static void waitFor(Thread thread) {
        for (;;)
            for (StackTraceElement frame : thread.getStackTrace())
                if (frame.getMethodName().equals("take"))
                    return;
    }

    @BeforeClass
    public static void start() {
        server = start("server");
        waitFor(server);
    }

    @Test
    public void first() throws Exception {
        Thread late = start("late");
        for (int i = 0; i < 20; i++) {
            in.put(i);
            out.take();
        }
        waitFor(server);
        waitFor(late);
    }

    @Test
    public void second() {
        assertEquals(1, in.size());
    }
}
