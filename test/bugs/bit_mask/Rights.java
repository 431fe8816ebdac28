package bit_mask;

class Rights {
    static final int READ = 1, WRITE = 2, OWN = 4;
    private int bits;

    Rights grant(int right) {
        bits |= right;
        return this;
    }

    Rights revoke(int right) {
        // repair wrong-operator: bits &= ~right;
        bits ^= right;
        return this;
    }

    boolean may(int right) {
        return (bits & right) != 0;
    }
}
