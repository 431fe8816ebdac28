package off_by_one;

import java.util.ArrayList;
import java.util.List;

/** Splits rows into pages. */
class Pages {
    private final List<String> rows;
    private final int size;

    Pages(List<String> rows, int size) {
        this.rows = rows;
        this.size = size;
    }

    int count() {
        // repair off-by-one: return (rows.size() + size - 1) / size;
        return rows.size() / size;
    }

    List<String> page(int number) {
        int from = number * size;
        return new ArrayList<>(rows.subList(from, Math.min(from + size, rows.size())));
    }

    List<String> titles() {
        List<String> titles = new ArrayList<>();
        for (int i = 0; i < count(); i++)
            titles.add("page " + (i + 1) + ": " + page(i).get(0));
        return titles;
    }
}
