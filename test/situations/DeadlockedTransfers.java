/* A deadlock: two transfers never end.
 *
 * $ hindsight record -o T -- java -cp classes DeadlockedTransfers
 * > two transfers hang
 * $ hindsight threads T
 * > (?P<rent>\d+) .* rent
 * > (?P<wages>\d+) .* wages
 * $ hindsight print --thread rent --event 'MONITOR_ENTER*' T
 * > MONITOR_ENTER_RESULT \S*Account#(?P<ann>\d+)
 * > (?P<waits>\d+) {rent} MONITOR_ENTER \S*Account#(?P<bob>\d+) DeadlockedTransfers.transfer:{CAUSE}
 * $ hindsight print --thread wages --event 'MONITOR_ENTER*' T
 * > MONITOR_ENTER_RESULT \S*Account#{bob}
 * > {wages} MONITOR_ENTER \S*Account#{ann} DeadlockedTransfers.transfer:{CAUSE}
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
        Thread wages = start("wages", () -> bank.transfer(bob, ann, 20));
        while (rent.getState() != Thread.State.BLOCKED || wages.getState() != Thread.State.BLOCKED)
            Thread.sleep(1);
        System.out.println("two transfers hang");
    }
}
