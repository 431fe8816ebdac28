package wrong_operator;

import java.util.ArrayList;
import java.util.List;

class Calendar {
    static class Slot {
        final int from, to;

        Slot(int from, int to) {
            this.from = from;
            this.to = to;
        }

        boolean meets(Slot other) {
            // repair wrong-operator: return from < other.to && other.from < to;
            return from < other.to || other.from < to;
        }
    }

    private final List<Slot> slots = new ArrayList<>();

    boolean book(int from, int to) {
        Slot wanted = new Slot(from, to);
        for (Slot slot : slots)
            if (slot.meets(wanted)) return false;
        slots.add(wanted);
        return true;
    }
}
