package used_iterator;

import java.util.Iterator;
import java.util.List;

class Report {
    private final Iterator<Integer> values;
    private int sum, count;

    Report(List<Integer> values) {
        this.values = values.iterator();
    }

    int sum() {
        while (values.hasNext()) {
            sum += values.next();
            count++;
        }
        return sum;
    }

    double mean() {
        // repair stale-state: int sum = sum(); return count == 0 ? 0 : (double) sum / count;
        return count == 0 ? 0 : (double) sum() / count;
    }
}
