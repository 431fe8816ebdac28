/**
 * A numeric loop: what events cost where a program does nothing but compute. Argument: iterations. Prints ns per
 * iteration, the best of 7.
 */
public class NumericLoop {
    static final double[] CELLS = new double[1024];

    static double loop(int n) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            CELLS[i & 1023] = CELLS[(i * 7) & 1023] * 0.5 + i;
            sum += CELLS[i & 1023];
        }
        return sum;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        long best = Long.MAX_VALUE;
        double sum = 0;
        for (int i = 0; i < 40; i++) sum += loop(20_000);
        for (int i = 0; i < 7; i++) {
            long t = System.nanoTime();
            sum += loop(n);
            best = Math.min(best, System.nanoTime() - t);
        }
        System.out.println((double) best / n + " " + (sum != 0));
    }
}
