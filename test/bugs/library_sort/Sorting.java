package library_sort;

import java.util.Comparator;

/** A library: a stable sort. */
final class Sorting {
    private Sorting() {}

    static <T> void insertion(T[] items, Comparator<T> order) {
        for (int i = 1; i < items.length; i++) {
            T item = items[i];
            int k = i;
            // repair library: while (k > 0 && order.compare(items[k - 1], item) > 0) {
            while (k > 0 && order.compare(items[k - 1], item) >= 0) {
                items[k] = items[k - 1];
                k--;
            }
            items[k] = item;
        }
    }
}
