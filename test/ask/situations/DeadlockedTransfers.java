/* A deadlock: two transfers never end.
 *
 * $ hindsight record -o T -- java -cp classes DeadlockedTransfers
 * > two transfers hang
 * $ hindsight deadlocks T
 * > rent waits to enter \S*Account#(?P<bob>\d+) since (?P<since>\d+), held by
 * > DeadlockedTransfers.transfer:{CAUSE} .*holds \S*Account#(?P<ann>\d+)
 * > wages waits to enter \S*Account#{ann} .* held by
 * > DeadlockedTransfers.transfer:{CAUSE} .*holds \S*Account#{bob}
 * $ hindsight object {ann} T
 * > \S*Account.owner "ann"
 * $ hindsight locals --at {since} T
 * > 0 DeadlockedTransfers.transfer:{CAUSE}
 * > from \S*Account#{ann}
 * > to \S*Account#{bob}
 */
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
