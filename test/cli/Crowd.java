/** 64 threads that take turns at eight locks, so that the chunks of all of them overlap: N rounds each. */
class Crowd extends Thread {
    static final Object[] locks = new Object[8];
    static final int[] sums = new int[8];
    final int rounds, number;
    int value;

    Crowd(int rounds, int number) {
        this.rounds = rounds;
        this.number = number;
    }

    int add(int i) {
        synchronized (locks[i % 8]) {
            return sums[i % 8] += i;
        }
    }

    public void run() {
        for (int i = 0; i < rounds; i++)
            value = add(i + number);
    }

    public static void main(String[] args) throws Exception {
        Crowd[] all = new Crowd[64];
        for (int i = 0; i < 8; i++)
            locks[i] = new Object();
        for (int i = 0; i < all.length; i++)
            (all[i] = new Crowd(Integer.parseInt(args[0]), i)).start();
        for (Crowd c : all)
            c.join();
    }
}
