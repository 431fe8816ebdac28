// A deadlock: two transfers never end.
// ask: hindsight record -o T -- java -cp classes DeadlockedTransfers
// answer: two transfers hang
// ask: hindsight deadlocks T
// answer: rent waits to enter *Account#{bob} since {since}, held by
// answer: DeadlockedTransfers.transfer:{CAUSE} *holds *Account#{ann}
// answer: wages waits to enter *Account#{ann} * held by
// answer: DeadlockedTransfers.transfer:{CAUSE} *holds *Account#{bob}
// ask: hindsight object {ann} T
// answer: *Account.owner "ann"
// ask: hindsight locals --at {since} T
// answer: 0 DeadlockedTransfers.transfer:{CAUSE}
// answer: from *Account#{ann}
// answer: to *Account#{bob}
import java.util.concurrent.CountDownLatch;

public class DeadlockedTransfers {
    static class Account {
        private final String owner;
        private int balance = 100;

        Account(String owner) {
            this.owner = owner;
        }
    }

    private final CountDownLatch busy = new CountDownLatch(2);

    void transfer(Account from, Account to, int amount) {
        synchronized (from) {
            waitForBoth();
            synchronized (to) { // CAUSE: the order of the locks depends on the direction
                from.balance -= amount;
                to.balance += amount;
            }
        }
    }

    /** Makes both transfers be at it at once, in every run. */
    private void waitForBoth() {
        busy.countDown();
        try {
            busy.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true); // so that the program ends
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        DeadlockedTransfers bank = new DeadlockedTransfers();
        Account ann = new Account("ann");
        Account bob = new Account("bob");
        Thread rent = start("rent", () -> bank.transfer(ann, bob, 10));
        while (rent.getState() != Thread.State.WAITING) // so that the first thread is the same in every run
            Thread.sleep(1);
        Thread wages = start("wages", () -> bank.transfer(bob, ann, 20));
        while (rent.getState() != Thread.State.BLOCKED || wages.getState() != Thread.State.BLOCKED)
            Thread.sleep(1);
        System.out.println("two transfers hang");
    }
}
