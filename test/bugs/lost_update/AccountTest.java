package lost_update;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class AccountTest {
    @Test
    public void oneAfterTheOther() {
        Account account = new Account(() -> {});
        account.deposit(10);
        account.deposit(5);
        assertEquals(15, account.balance());
    }

    @Test
    public void atOnce() throws Exception {
        CyclicBarrier both = new CyclicBarrier(2);
        Account account =
                new Account(
                        () -> {
                            try {
                                both.await(1, TimeUnit.MINUTES);
                            } catch (Exception alone) {
                                // they do not meet
                            }
                        });
        Thread other = new Thread(() -> account.deposit(10));
        other.start();
        account.deposit(5);
        other.join();
        assertEquals(15, account.balance());
    }
}
