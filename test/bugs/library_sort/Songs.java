package library_sort;

import java.util.Comparator;

class Songs {
    static String byLength(String... titles) {
        Sorting.insertion(titles, Comparator.comparingInt(String::length));
        return String.join(", ", titles);
    }
}
