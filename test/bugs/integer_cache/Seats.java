package integer_cache;

import java.util.HashMap;
import java.util.Map;

class Seats {
    private final Map<String, Integer> seats = new HashMap<>();

    void take(String name, int seat) {
        seats.put(name, seat);
    }

    boolean together(String a, String b) {
        Integer first = seats.get(a), second = seats.get(b);
        // repair identity: return first != null && first.equals(second);
        return first != null && first == second;
    }
}
