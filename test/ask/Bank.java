// A bank whose two tellers lose an update: both read 100 before either writes. Latches make it happen every time.
import java.util.concurrent.CountDownLatch;

public class Bank {
    static class Account {
        int balance;
        Account(int opening) { balance = opening; }
    }

    static final CountDownLatch bothHaveRead = new CountDownLatch(2), firstHasWritten = new CountDownLatch(1);

    static void deposit(Account account, int amount, boolean first) {
        int seen = account.balance;
        bothHaveRead.countDown();
        try {
            bothHaveRead.await();
            if (!first)
                firstHasWritten.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        account.balance = seen + amount;
        firstHasWritten.countDown();
    }

    public static void main(String[] args) throws Exception {
        Account account = new Account(100);
        Thread anna = new Thread(() -> deposit(account, 30, true), "anna");
        Thread berta = new Thread(() -> deposit(account, 7, false), "berta");
        anna.start();
        berta.start();
        anna.join();
        berta.join();
        int result = account.balance;
        System.out.println("balance " + result); // 107, not 137
    }
}
