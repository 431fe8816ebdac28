package priority_order;

import java.util.Comparator;
import java.util.PriorityQueue;

class Tasks {
    static class Task {
        final String name;
        final int urgency;

        Task(String name, int urgency) {
            this.name = name;
            this.urgency = urgency;
        }

        int urgency() {
            return urgency;
        }
    }

    // repair comparator: private final PriorityQueue<Task> q = new PriorityQueue<>((a, b) -> b.urgency - a.urgency);
    private final PriorityQueue<Task> q = new PriorityQueue<>(Comparator.comparingInt(Task::urgency));

    void add(String name, int urgency) {
        q.add(new Task(name, urgency));
    }

    String next() {
        return q.remove().name;
    }
}
