import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** ROUNDS transfers between 1,000 accounts of a map. A refused one throws; at 60 % a limit goes wrong. */
public class Transfers {
    static class Account {
        final int id;
        long balance;
        long limit;
        int used;

        Account(int id, long balance) {
            this.id = id;
            this.balance = balance;
            limit = -1000;
        }
    }

    static class Refused extends RuntimeException {
        Refused(String why) { super(why); }
    }

    final Map<Integer, Account> accounts = new HashMap<>();
    final Deque<String> log = new ArrayDeque<>();
    final Random random = new Random(42);
    long refused;

    Account find(int id) {
        Account a = accounts.get(id);
        if (a == null)
            throw new Refused("no account " + id);
        return a;
    }

    void take(Account a, long amount) {
        if (a.balance - amount < a.limit)
            throw new Refused("limit of " + a.id);
        a.balance -= amount;
        a.used++;
    }

    void give(Account a, long amount) {
        a.balance += amount;
        a.used++;
    }

    void transfer(int from, int to, long amount) {
        Account a = find(from), b = find(to);
        take(a, amount);
        give(b, amount);
    }

    void note(String text) {
        log.addLast(text);
        if (log.size() > 100)
            log.removeFirst();
    }

    void adjust(Account a, long step) { a.limit = a.limit + step; }

    void run(long rounds) {
        for (int i = 0; i < 1000; i++)
            accounts.put(i, new Account(i, 10_000));
        long wrong = rounds * 6 / 10;
        for (long i = 0; i < rounds; i++) {
            int from = random.nextInt(1000), to = random.nextInt(1000);
            long amount = random.nextInt(500);
            try {
                transfer(from, to, amount);
            } catch (Refused r) {
                refused++;
                if (refused % 100 == 0)
                    note(r.getMessage());
            }
            if (i % 5000 == 0)
                adjust(find(from), i % 10000 == 0 ? 1 : -1);
            if (i == wrong)
                adjust(find(77), 5_000_000);
        }
        check();
    }

    void check() {
        for (Account a : accounts.values())
            if (a.limit > 1000)
                throw new IllegalStateException("account " + a.id + " has limit " + a.limit);
    }

    public static void main(String[] args) { new Transfers().run(Long.parseLong(args[0])); }
}
