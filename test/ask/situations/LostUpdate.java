// A race: two deposits, and the balance has only one of them.
// ask: hindsight record -o T -- java -cp classes LostUpdate
// answer: balance 120, expected 150
// ask: hindsight history Account.balance T
// answer: {other} * PUT_INSTANCE_FIELD_VALUE 130 *Account.deposit
// answer: {last} {thread} PUT_INSTANCE_FIELD_VALUE 120 *Account.deposit
// ask: hindsight why {last} T
// answer: {read} {thread} GET_INSTANCE_FIELD_RESULT 100 *Account.deposit
// ask: hindsight print --class Account --where 'balance > 0' T
// answer: {read} {thread} GET_INSTANCE_FIELD_RESULT 100 *Account.deposit:{CAUSE}
// answer: {other} * PUT_INSTANCE_FIELD_VALUE 130
// answer: {last} {thread} PUT_INSTANCE_FIELD_VALUE 120
import java.util.concurrent.CountDownLatch;

public class LostUpdate {
    static class Account {
        private int balance = 100;

        void deposit(int amount, Runnable book) {
            int old = balance; // CAUSE: no lock is held from here to the write
            book.run();
            balance = old + amount;
        }
    }

    /** In every run the refund is being booked while the wages arrive. */
    public static void main(String[] args) throws InterruptedException {
        Account account = new Account();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch paid = new CountDownLatch(1);
        Thread refund = new Thread(() -> account.deposit(20, () -> {
            begun.countDown();
            await(paid);
        }), "refund");
        Thread wages = new Thread(() -> {
            await(begun);
            account.deposit(30, () -> {});
            paid.countDown();
        }, "wages");
        refund.start();
        wages.start();
        wages.join();
        refund.join();
        System.out.println("balance " + account.balance + ", expected 150");
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
