package index_bounds;

class Ring {
    private final int[] values = new int[4];
    private int next;

    void put(int value) {
        values[next] = value;
        // repair off-by-one: next = (next + 1) % values.length;
        next = (next + 1) % (values.length + 1);
    }

    int last() {
        return values[(next + values.length - 1) % values.length];
    }
}
