package deadlock;

import static org.junit.Assert.*;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class TransferTest {
    Transfer.Account a = new Transfer.Account(1, 10), b = new Transfer.Account(2, 10);

    @Test
    public void one() {
        Transfer.move(a, b, 4, () -> {});
        assertEquals(6, a.balance);
    }

    @Test(timeout = 3000)
    public void both() throws Exception {
        CyclicBarrier met = new CyclicBarrier(2);
        Runnable meet =
                () -> {
                    try {
                        met.await(1, TimeUnit.MINUTES);
                    } catch (Exception alone) {
                        // they do not meet
                    }
                };
        Thread other = new Thread(() -> Transfer.move(b, a, 3, meet));
        other.setDaemon(true);
        other.start();
        Transfer.move(a, b, 4, meet);
        other.join();
        assertEquals(9, a.balance);
    }
}
