/** One thread, so that two runs have the same events: objects that come and go, in long and in short frames. */
public class Recent {
    final Recent before;
    final String name;
    int count;
    static long total;

    Recent(Recent before, int i) {
        this.before = before == null || before.count > 5 ? null : before;
        name = "recent " + i % 100;
        count = before == null ? 0 : before.count + 1;
    }

    int depth() { return before == null ? 0 : 1 + before.depth(); }

    static int checked(Recent r, int i) {
        try {
            if (i % 7 == 0)
                throw new IllegalArgumentException(r.name);
            return r.depth();
        } catch (IllegalArgumentException e) {
            return e.getMessage().length();
        }
    }

    /* Numbers that are read, and pack badly. */
    static final int[] noise = new int[4096];
    static int noise(int i) {
        int sum = 0;
        for (int k = 0; k < 12; k++)
            sum += noise[(i * 12 + k) & 4095] ^= sum * 0x9e3779b9 + i;
        return sum;
    }

    static Recent rounds(Recent r, int from, int to) {
        int[] seen = new int[16];
        for (int i = from; i < to; i++) {
            r = new Recent(i % 50 == 0 ? null : r, i);
            seen[i & 15] += checked(r, i);
            total += noise(i) + seen[i & 15] * 31L + r.name.length();
        }
        return r;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        Recent r = null;
        for (int i = 0; i < n; i += n / 40)
            r = rounds(r, i, i + n / 40);
        System.out.println(total + r.name);
    }
}
