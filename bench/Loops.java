/**
 * A matrix product and a sieve: what events cost in loops over arrays. Argument: rounds. Prints JSON: milliseconds of
 * each, the best round.
 */
public class Loops {
    static double product(double[][] a, double[][] b, int n) {
        double trace = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = 0;
                for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
                trace += i == j ? s : 0;
            }
        return trace;
    }

    static int sieve(int n) {
        boolean[] composite = new boolean[n + 1];
        int primes = 0;
        for (int i = 2; i <= n; i++) {
            if (composite[i]) continue;
            primes++;
            for (int j = 2 * i; j <= n; j += i) composite[j] = true;
        }
        return primes;
    }

    public static void main(String[] args) {
        int n = 256;
        double[][] a = new double[n][n], b = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = i + j; b[i][j] = i - j; }
        long product = Long.MAX_VALUE, sieve = Long.MAX_VALUE;
        double sum = 0;
        for (int round = Integer.parseInt(args[0]); round > 0; round--) {
            long t = System.nanoTime();
            sum += product(a, b, n);
            long u = System.nanoTime();
            sum += sieve(2_000_000);
            product = Math.min(product, u - t);
            sieve = Math.min(sieve, System.nanoTime() - u);
        }
        System.out.printf("{\"product_ms\":%.2f,\"sieve_ms\":%.2f,\"sum\":%.0f}%n", product / 1e6, sieve / 1e6, sum);
    }
}
