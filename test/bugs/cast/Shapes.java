package cast;

import java.util.ArrayList;
import java.util.List;

class Shapes {
    private final List<Object> parts = new ArrayList<>();

    void side(int length) {
        parts.add(length);
    }

    void side(String length) {
        // repair wrong-type: parts.add(Integer.valueOf(length));
        parts.add(length);
    }

    int around() {
        int sum = 0;
        for (Object part : parts) sum += (Integer) part;
        return sum;
    }
}
