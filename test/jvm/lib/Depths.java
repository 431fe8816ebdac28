/** How deep methods of several shapes call themselves until the stack ends, in so many rounds (bench/depths.sh). */
public class Depths {
    static int best;

    static long mixed(int n, long a, double d) {
        best = n;
        int x = n * 2;
        return mixed(n + 1, a + x, d / 2 + 1) ^ x;
    }

    static int plain(int n) {
        best = n;
        return 1 + plain(n + 1);
    }

    static int descent(String s, int at, int depth) {
        best = depth;
        int n = 0;
        for (int i = at; i < s.length(); i++)
            if (s.charAt(i) == '(')
                try {
                    i = descent(s, i + 1, depth + 1);
                    n++;
                } finally {
                    n += 0;
                }
            else
                return i;
        return s.length();
    }

    static int depth(Runnable r) {
        try {
            r.run();
        } catch (StackOverflowError e) {
            return best;
        }
        return -1;
    }

    public static void main(String[] args) {
        String s = "(".repeat(100_000);
        for (int round = 0; round < Integer.parseInt(args[0]); round++)
            System.out.println("mixed " + depth(() -> mixed(0, 7, 3.5)) + " plain " + depth(() -> plain(0))
                + " descent " + depth(() -> descent(s, 0, 0)));
    }
}
