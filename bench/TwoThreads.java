/**
 * Small methods that call each other, in threads that share nothing. Arguments: threads, `static` (calls of methods of
 * the class) or `virtual` (of an interface, and of other objects), seconds. Runs twice that long, and prints the rounds
 * a second of all threads in the second half.
 */
public class TwoThreads extends Thread {
    interface Op { long on(long a); }

    static class Add implements Op {
        final long k;
        Add(long k) { this.k = k; }
        public long on(long a) { return twist(a) + k; }
        long twist(long a) { return a * 31 ^ a >>> 7; }
    }

    static class Pipe {
        final Op[] ops = { new Add(1), new Add(2), new Add(3) };
        long run(long a) {
            for (Op o : ops) a = o.on(a);
            return a;
        }
    }

    static long square(long x) { return x * x + 1; }
    static long step(long x) { return square(x) ^ square(x + 1); }

    final boolean isStatic;
    final long until;
    volatile long rounds, result;

    TwoThreads(boolean isStatic, long until) {
        this.isStatic = isStatic;
        this.until = until;
    }

    @Override public void run() {
        long n = 0, x = 1;
        Pipe p = new Pipe();
        for (; System.nanoTime() < until; n += 1000) {
            if (isStatic) for (int i = 0; i < 1000; i++) x = step(x);
            else for (int i = 0; i < 1000; i++) x = p.run(x);
        }
        rounds = n;
        result = x;
    }

    static long rounds(int threads, boolean isStatic, double seconds) throws InterruptedException {
        TwoThreads[] all = new TwoThreads[threads];
        long until = System.nanoTime() + (long) (seconds * 1e9), sum = 0;
        for (int i = 0; i < threads; i++) (all[i] = new TwoThreads(isStatic, until)).start();
        for (TwoThreads t : all) {
            t.join();
            sum += t.rounds;
        }
        return (long) (sum / seconds);
    }

    public static void main(String[] args) throws InterruptedException {
        int threads = Integer.parseInt(args[0]);
        boolean isStatic = args[1].equals("static");
        double seconds = Double.parseDouble(args[2]);
        rounds(threads, isStatic, seconds);
        System.out.println(rounds(threads, isStatic, seconds));
    }
}
