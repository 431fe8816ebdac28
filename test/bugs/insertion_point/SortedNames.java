package insertion_point;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class SortedNames {
    private final List<String> names = new ArrayList<>();

    void add(String name) {
        int at = Collections.binarySearch(names, name);
        // repair off-by-one: if (at < 0) names.add(-at - 1, name);
        if (at < 0) names.add(Math.max(0, -at - 2), name);
    }

    String all() {
        return String.join(" ", names);
    }
}
