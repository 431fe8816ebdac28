/**
 * Two threads count for ever, each into its own cells: what is kept of them must be consecutive numbers at any moment.
 */
public class Spin {
    static final long[] CELLS = new long[16];

    static void once(int from) {
        for (int i = 0; i < 1_000_000; i++)
            CELLS[from + (i & 7)] = i;
    }

    public static void main(String[] args) {
        for (int from = 0; from <= 8; from += 8) {
            int mine = from;
            new Thread(() -> { for (;;) once(mine); }).start();
        }
    }
}
