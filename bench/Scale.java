import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Five programs of different shape, for scale.sh: SHAPE ROUNDS. Each round has the same number of events. */
public class Scale {
    static class Refused extends RuntimeException {
        Refused(String why) { super(why); }
    }

    static class Account {
        final int id;
        long balance, rare;

        Account(int id) { this.id = id; }

        void add(long amount) { balance += amount; }

        void touch(long value) { rare = value; }

        void take(long amount) {
            if (amount > 90)
                throw new Refused("account " + id);
            balance -= amount;
        }
    }

    static class Node {
        final Node next;
        final int value;

        Node(Node next, int value) {
            this.next = next;
            this.value = value;
        }
    }

    final Account[] accounts = new Account[1000];
    final Object lock = new Object();
    long sum;

    Scale() {
        for (int i = 0; i < accounts.length; i++)
            accounts[i] = new Account(i);
    }

    void writes(long rounds) {
        for (long i = 0; i < rounds; i++) {
            Account a = accounts[(int) (i * 7 % 1000)];
            a.add(i & 15);
            if (i % 10007 == 0)
                a.touch(i);
        }
    }

    void objects(long rounds) {
        Node list = null;
        for (long i = 0; i < rounds; i++) {
            list = new Node(i % 100 == 0 ? null : list, (int) i);
            sum += list.value;
        }
    }

    void exceptions(long rounds) {
        for (long i = 0; i < rounds; i++)
            try {
                accounts[(int) (i % 1000)].take(91);
            } catch (Refused r) {
                sum += r.getMessage().length();
            }
    }

    void locked(long rounds) {
        for (long i = 0; i < rounds; i++) {
            synchronized (lock) {
                sum++;
            }
            Account a = accounts[(int) (i % 1000)];
            synchronized (a) {
                a.add(1);
            }
        }
    }

    void threads(long rounds) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < 64; t++) {
            Thread thread = new Thread(() -> locked(rounds / 64), "worker-" + t);
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all)
            thread.join();
    }

    long depth(int n, String text) { return n == 0 ? text.length() : depth(n - 1, text) + 1; }

    void strings(long rounds) {
        ArrayDeque<String> last = new ArrayDeque<>();
        for (long i = 0; i < rounds; i++) {
            String text = "round " + i;
            last.addLast(text);
            if (last.size() > 50)
                last.removeFirst();
            sum += depth((int) (i % 40), text);
        }
    }

    public static void main(String[] args) throws Exception {
        Scale s = new Scale();
        long rounds = Long.parseLong(args[1]);
        switch (args[0]) {
            case "writes" -> s.writes(rounds);
            case "objects" -> s.objects(rounds);
            case "exceptions" -> s.exceptions(rounds);
            case "threads" -> s.threads(rounds);
            case "strings" -> s.strings(rounds);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
