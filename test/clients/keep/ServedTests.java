import static org.junit.Assert.*;

import java.util.concurrent.*;
import org.junit.*;
import org.junit.runners.MethodSorters;

/** A thread that works for a test that passes, and waits while one fails. */
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

    /** Whether it is where it will wait. One that waits for a lock of put() still has events before it comes there. */
    static boolean takes() {
        for (StackTraceElement frame : server.getStackTrace())
            if (frame.getMethodName().equals("take"))
                return true;
        return false;
    }

    @BeforeClass
    public static void start() {
        server = new Thread(ServedTests::serve, "server");
        server.setDaemon(true);
        server.start();
    }

    @Test
    public void first() throws Exception {
        for (int i = 0; i < 20; i++) {
            in.put(i);
            out.take();
        }
        while (!takes()) Thread.onSpinWait();
    }

    @Test
    public void second() {
        assertEquals(1, in.size());
    }
}
