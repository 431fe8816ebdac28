import java.util.Scanner;

/**
 * Does as standard input says, and counts it, while its class is woven again: "round N", "virtual N" (a round in a
 * virtual thread), "exchange" (Exchanger gives the JVM another class file, in which word() and all numbers of constants
 * differ). At its end it prints how often each method was called.
 */
public class Weavings implements Runnable {
    static String word() { return "word"; }

    static int twices, branches, fails, lockeds, rounds, runs;
    final int[] cells = new int[4];
    final int n;

    Weavings(int n) { this.n = n; }

    static int twice(int x) { twices++; return 2 * x; }

    static int branch(int x) {
        branches++;
        if (x % 3 == 0) return twice(x);
        return x > 4 ? word().length() : x;
    }

    static void fail(int x) {
        fails++;
        if (x % 2 == 1) throw new IllegalStateException("odd " + x);
    }

    synchronized void locked(int x) {
        lockeds++;
        cells[x % 4] += x;
    }

    static void round(int n) {
        rounds++;
        Weavings w = new Weavings(n);
        for (int i = 0; i < n; i++) {
            twice(branch(i));
            w.locked(i);
            try {
                fail(i);
            } catch (IllegalStateException e) {
                twice(e.getMessage().length());
            }
        }
    }

    @Override public void run() {
        runs++;
        round(n);
    }

    static void obey(String command, int n) throws Exception {
        if (command.equals("round")) {
            round(n);
        } else if (command.equals("virtual")) { // newer than the oldest JDK
            Class<?> of = Thread.class;
            ((Thread) of.getMethod("startVirtualThread", Runnable.class).invoke(null, new Weavings(n))).join();
        } else {
            Class.forName("Exchanger").getMethod("exchange", Class.class).invoke(null, Weavings.class);
        }
    }

    public static void main(String[] args) throws Exception {
        for (Scanner in = new Scanner(System.in); in.hasNext();) {
            String command = in.next();
            obey(command, in.nextInt());
            System.out.println("done " + command);
        }
        System.out.println("twice " + twices + " branch " + branches + " fail " + fails + " locked " + lockeds
            + " round " + rounds + " run " + runs);
    }
}
