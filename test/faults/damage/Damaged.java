import java.util.ArrayList;
import java.util.List;

/**
 * A bit of everything that a trace can hold, by two threads at once; it always has as many events and prints the same.
 * With an argument it ends by kill -9, half of it stored and half in the journal.
 */
public class Damaged {
    static class Base {
        int state;
        String name;
    }

    static class Account extends Base {
        long[] history = new long[4];
        int used;

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
            add(null, 1);
        }
        add(a, a.state);
    }

    static void add(Account a, int amount) {
        synchronized (accounts) {
            if (a != null)
                accounts.add(a);
            total += amount;
        }
    }

    static void part(int from, int count) throws Exception {
        Thread t = new Thread(() -> step(from + count), "helper " + from);
        t.start();
        for (int i = from; i < from + count; i++)
            step(i);
        t.join();
    }

    public static void main(String[] args) throws Exception {
        part(0, 6);
        if (args.length > 0)
            Thread.sleep(1500); // the drain stores what there is once a second
        part(100, 6);
        if (args.length > 0) {
            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start();
            Thread.sleep(60000);
        }
        System.out.println(total);
    }
}
