package scheduler;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Things of which only so many runs can have one at a time. */
final class Resources {
    private final Map<String, Integer> total = new HashMap<>();
    private final Map<String, Integer> used = new HashMap<>();

    void add(String name, int count) {
        if (count < 1)
            throw new IllegalArgumentException(count + " of " + name);
        total.put(name, count);
    }

    void check(Job job) {
        Map<String, Integer> wanted = count(job.resources());
        for (Map.Entry<String, Integer> entry : wanted.entrySet())
            if (entry.getValue() > total.getOrDefault(entry.getKey(), 0))
                throw new IllegalArgumentException(job.name() + " needs " + entry.getValue() + " of "
                        + entry.getKey());
    }

    private static Map<String, Integer> count(List<String> names) {
        Map<String, Integer> counts = new HashMap<>();
        for (String name : names)
            counts.merge(name, 1, Integer::sum);
        return counts;
    }

    boolean take(Job job) {
        Map<String, Integer> wanted = count(job.resources());
        for (Map.Entry<String, Integer> entry : wanted.entrySet())
            if (used(entry.getKey()) + entry.getValue() > total.get(entry.getKey()))
                return false;
        for (Map.Entry<String, Integer> entry : wanted.entrySet())
            used.merge(entry.getKey(), entry.getValue(), Integer::sum);
        return true;
    }

    void give(Job job) {
        for (Map.Entry<String, Integer> entry : count(job.resources()).entrySet())
            used.merge(entry.getKey(), -entry.getValue(), Integer::sum);
    }

    int used(String name) {
        return used.getOrDefault(name, 0);
    }
}
