/* A race: two deposits, and the balance has only one of them.
 *
 * $ hindsight record -o T -- java -cp classes LostUpdate
 * > balance 120, expected 150
 * $ hindsight history Account.balance T
 * > (?P<other>\d+) \d+ PUT_INSTANCE_FIELD_VALUE 130 \S*Account.deposit
 * > (?P<last>\d+) (?P<thread>\d+) PUT_INSTANCE_FIELD_VALUE 120 \S*Account.deposit
 * $ hindsight why {last} T
 * > (?P<read>\d+) {thread} GET_INSTANCE_FIELD_RESULT 100 \S*Account.deposit
 * $ hindsight print --class Account --where 'balance > 0' T
 * > {read} {thread} GET_INSTANCE_FIELD_RESULT 100 \S*Account.deposit:{CAUSE}
 * > {other} \d+ PUT_INSTANCE_FIELD_VALUE 130
 * > {last} {thread} PUT_INSTANCE_FIELD_VALUE 120
 */
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
