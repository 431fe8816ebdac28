package archive;

/** Finds what stood before, by hash chains. */
final class Matches {
    static final int LEAST = 3;
    static final int MOST = 258;
    static final int WINDOW = 1 << 15;
    private static final int HASH_BITS = 14;
    private static final int TRIES = 32;
    private final byte[] data;
    private final int[] head = new int[1 << HASH_BITS];
    private final int[] before;
    private int length;
    private int distance;

    Matches(byte[] data) {
        this.data = data;
        this.before = new int[data.length];
        java.util.Arrays.fill(head, -1);
    }

    int length() {
        return length;
    }

    int distance() {
        return distance;
    }

    private int hash(int at) {
        int word = data[at] & 0xff | (data[at + 1] & 0xff) << 8 | (data[at + 2] & 0xff) << 16;
        return word * 0x9e3779b1 >>> 32 - HASH_BITS;
    }

    void add(int at) {
        if (at + LEAST > data.length)
            return;
        int h = hash(at);
        before[at] = head[h];
        head[h] = at;
    }

    /** The longest match at that place. False: there is none. */
    boolean find(int at) {
        length = 0;
        distance = 0;
        if (at + LEAST > data.length)
            return false;
        int most = Math.min(MOST, data.length - at);
        int candidate = head[hash(at)];
        for (int tries = 0; tries < TRIES && candidate >= 0 && at - candidate <= WINDOW; tries++) {
            int n = 0;
            while (n < most && data[candidate + n] == data[at + n])
                n++;
            if (n > length) {
                length = n;
                distance = at - candidate;
            }
            candidate = before[candidate];
        }
        return length >= LEAST;
    }
}
