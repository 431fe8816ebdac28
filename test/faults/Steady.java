import java.util.ArrayList;
import java.util.List;

/** A little of what an agent stores, with two threads that never run at once: it always prints the same. */
public class Steady {
    static class Account {
        long[] history = new long[4];
        int used, state;
        String name;

        void book(long amount) {
            if (amount < 0)
                throw new IllegalArgumentException("negative: " + amount);
            history[used++ % history.length] = amount;
            state += (int) amount;
        }
    }

    static int total;
    static final List<Account> accounts = new ArrayList<>();

    static void step(int i) {
        Account a = new Account();
        a.name = "account " + i;
        for (int k = 0; k < 4; k++)
            a.book(i * 10L + k);
        try {
            a.book(-i - 1);
        } catch (IllegalArgumentException e) {
            total++;
        }
        accounts.add(a);
        total += a.state;
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 6; i++)
            step(i);
        Thread t = new Thread(() -> step(100), "helper");
        t.start();
        t.join();
        for (int i = 0; i < 6; i++)
            step(i);
        System.out.println(total);
    }
}
