/** Loops whose rounds call the same, N rounds each: simple ones, some that differ, in calls and in threads. */
class EqualRounds extends Thread {
    static class Odd extends RuntimeException {
        Odd() { super("odd", null, false, false); }
    }

    static class Even extends RuntimeException {
        Even() { super("even", null, false, false); }
    }

    static int sum;
    final int rounds;

    EqualRounds(int rounds) { this.rounds = rounds; }

    static int one(int n) { return n + 1; }

    static int two(int n) { return one(n) + one(n); }

    static int three(int n) { return two(n) + one(n); }

    /** An exception of one class, and of another one once. */
    static void refuse(int i, int other) {
        if (i == other)
            throw new Even();
        throw new Odd();
    }

    void plain() {
        for (int i = 0; i < rounds; i++)
            sum += two(i);
    }

    void refused() {
        for (int i = 0; i < rounds; i++)
            try {
                refuse(i, rounds / 2 + 3);
            } catch (Odd | Even e) {
                sum++;
            }
    }

    /** Few other calls, of another method or of another shape. */
    void mixed() {
        for (int i = 0; i < rounds; i++) {
            if (i % (rounds / 3) == 7)
                sum += one(i);
            sum += i % (rounds / 4) == 9 ? deep(3) : deep(2);
        }
    }

    static int deep(int n) { return n == 0 ? three(n) : deep(n - 1); }

    /** Loops in the calls of a loop. */
    void nested(int outer) {
        for (int i = 0; i < outer; i++)
            inner(rounds / outer);
    }

    void inner(int n) {
        for (int i = 0; i < n; i++)
            sum += one(i);
    }

    @Override
    public void run() {
        plain();
        refused();
        mixed();
        nested(3);
        nested(rounds / 1000);
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        EqualRounds a = new EqualRounds(n / 3), b = new EqualRounds(n / 5);
        a.start();
        b.start();
        new EqualRounds(n).run();
        a.join();
        b.join();
        System.out.println(sum > 0);
    }
}
