/** A deadlock: two threads take two locks in opposite orders. */
import java.util.concurrent.CountDownLatch;

public class Deadlock {
    static class Account {
        int balance = 100;
    }

    static void move(Account from, Account to, CountDownLatch both) {
        synchronized (from) {
            both.countDown();
            await(both); // makes the error happen in every run
            synchronized (to) {
                from.balance--;
                to.balance++;
            }
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true); // so that this example ends
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        Account a = new Account();
        Account b = new Account();
        CountDownLatch both = new CountDownLatch(2);
        Thread there = start("there", () -> move(a, b, both));
        while (there.getState() != Thread.State.WAITING) // so that this example is the same in every run
            Thread.sleep(1);
        start("back", () -> move(b, a, both));
        there.join(2000);
        System.out.println(there.isAlive() ? "still waiting" : "moved");
    }
}
