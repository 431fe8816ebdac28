/**
 * Kept ROUNDS: an object that is used, then not in so many rounds, of random values, which no codec makes small, and
 * then again.
 */
public class Kept {
    private int n;
    private final int[] data = new int[4];

    void early() { data[1] = n++; }

    void late() { data[2] = n += 8; }

    static long churn(int rounds) {
        long last = 7;
        for (int round = 1; round < rounds; round++) {
            Object fresh = new Object(); // and none that is as old as `kept`: rows of objects are dropped by pages
            last = Load.next(last) + (fresh == null ? 1 : 0);
        }
        return last;
    }

    public static void main(String[] args) {
        Kept kept = new Kept();
        kept.early();
        long sum = churn(2 * Integer.parseInt(args[0]));
        kept.late();
        System.out.println(sum);
    }
}
