/** The first test that runs initializes it. */
class Basket {
    static final int[] WEIGHTS = new int[4];

    static {
        for (int i = 0; i < WEIGHTS.length; i++)
            WEIGHTS[i] = 1;
    }

    private int sum;
    private int last;

    void add(int price) {
        last = price * WEIGHTS[price % WEIGHTS.length];
        sum = sum + last;
    }

    int sum() {
        return sum;
    }
}
