/**
 * Loops that do nothing but what a hook is put to: over locals and an array, over fields, of small calls. Argument:
 * iterations. Prints a line for each: its name and ns per iteration, the best of 7.
 */
public class WorstCases {
    static final double[] CELLS = new double[1024];
    static long total;
    int count, step = 3;

    static double locals(int n) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            CELLS[i & 1023] = CELLS[(i * 7) & 1023] * 0.5 + i;
            sum += CELLS[i & 1023];
        }
        return sum;
    }

    double fields(int n) {
        for (int i = 0; i < n; i++) {
            count += step;
            total += count ^ i;
        }
        return total;
    }

    static int half(int n) {
        return (n & 1) == 0 ? n >> 1 : 3 * n + 1;
    }

    static double calls(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += half(i) ^ half(sum);
        return sum;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        WorstCases fields = new WorstCases();
        String[] names = { "locals", "fields", "calls" };
        double sum = 0;
        for (int kind = 0; kind < 3; kind++) {
            long best = Long.MAX_VALUE;
            for (int i = 0; i < 47; i++) {
                int rounds = i < 40 ? 20_000 : n;
                long begin = System.nanoTime();
                sum += kind == 0 ? locals(rounds) : kind == 1 ? fields.fields(rounds) : calls(rounds);
                if (i >= 40)
                    best = Math.min(best, System.nanoTime() - begin);
            }
            System.out.println(names[kind] + " " + (double) best / n + (sum == 0.5 ? " " : ""));
        }
    }
}
