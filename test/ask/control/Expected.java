// Values that are not the expected ones. A comment "ask FIELD VALUE: CONDITION, ..." says what is asked and which
// branches decided; expected.py changes the constants that why-not names, and runs the program again.
public class Expected {
    static int total, chosen, handled, shared, element, negated, masked;
    static long product;
    static double mean;
    static boolean large;
    static final int[] table = new int[4];

    static int scale(int n, int by) {
        return n * by;
    }

    static int pick(int n) {
        return n > 3 ? 1000 : 2000;
    }

    static int thrown(int n) {
        if (n > 50) throw new IllegalArgumentException("more than 50");
        return n;
    }

    // ask total 63:
    static void total(int x) {
        int y = scale(x, 7);
        total = y + 61 - 19;
    }

    // ask chosen 1003: n > 3
    static void chosen(int x) {
        chosen = pick(x) + 3;
    }

    // ask handled 77: in a handler
    static void handled(int n) {
        try {
            handled = thrown(n);
        } catch (IllegalArgumentException e) {
            handled = 76;
        }
    }

    // ask shared 48: in another thread
    static void shared() throws Exception {
        Thread other = new Thread(() -> shared = scale(4, 11));
        other.start();
        other.join();
    }

    // ask element 19:
    static void element(int i) {
        table[i + 1] = 17;
        element = table[i + 1];
    }

    // ask product 84:
    static void product(int n) {
        product = (long) n * 21L;
    }

    // ask mean 4.5:
    static void mean(int n) {
        mean = (n + 10) / 4.0;
    }

    // ask large true: total > 5000
    static void large() {
        large = total > 5000;
    }

    // ask negated -34:
    static void negated() {
        int n = 33;
        negated = -n;
    }

    // ask masked 99: an operator that cannot be turned round
    static void masked(int n) {
        masked = (n + 37) & 15;
    }

    public static void main(String[] args) throws Exception {
        total(2);
        chosen(2);
        handled(60);
        shared();
        element(1);
        product(3);
        mean(2);
        large();
        negated();
        masked(2);
        System.out.println("total\t" + total + "\nchosen\t" + chosen + "\nhandled\t" + handled + "\nshared\t" + shared);
        System.out.println("element\t" + element + "\nproduct\t" + product + "\nmean\t" + mean + "\nlarge\t" + large);
        System.out.println("negated\t" + negated + "\nmasked\t" + masked);
    }
}
