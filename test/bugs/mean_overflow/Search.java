package mean_overflow;

class Search {
    /** The least n from low on for which n * n is at least the wanted number. */
    static int root(int wanted, int low, int high) {
        while (low < high) {
            int middle = low + (high - low) / 2;
            // repair integer-overflow: if ((long) middle * middle >= wanted) high = middle;
            if (middle * middle >= wanted) high = middle;
            else low = middle + 1;
        }
        return low;
    }
}
