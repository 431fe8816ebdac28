/** Two threads with exceptions, locks, strings and recursion: N rounds each. A third argument: waits for its end. */
class Passes extends Thread {
    static final Object lock = new Object();
    static int shared;
    final int rounds;
    int value;
    final int[] slots = new int[64];
    String last = "";

    Passes(int rounds) { this.rounds = rounds; }

    static int deep(int n) { return n == 0 ? 1 : n + deep(n - 1); }

    void refuse(int i) {
        if (i % 97 == 0)
            throw new IllegalArgumentException("round " + i);
        value += i;
    }

    public void run() {
        for (int i = 0; i < rounds; i++) {
            slots[i % 64] = value;
            try {
                refuse(i);
            } catch (IllegalArgumentException e) {
                last = e.getMessage();
            }
            synchronized (lock) {
                shared += deep(i % 11);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Passes a = new Passes(Integer.parseInt(args[0])), b = new Passes(Integer.parseInt(args[0]) / 2);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(shared);
        if (args.length > 1)
            System.in.read();
    }
}
