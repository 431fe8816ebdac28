package scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which job comes after which. */
final class Graph {
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final Map<String, List<Job>> followers = new HashMap<>();

    Graph(Collection<Job> all) {
        for (Job job : all)
            if (jobs.put(job.name(), job) != null)
                throw new IllegalArgumentException("two jobs are named " + job.name());
        for (Job job : all)
            for (String before : job.after()) {
                if (!jobs.containsKey(before))
                    throw new IllegalArgumentException(job.name() + " comes after " + before + ", which is not there");
                followers.computeIfAbsent(before, name -> new ArrayList<>()).add(job);
            }
        checkOrder();
    }

    private enum Mark {
        OPEN,
        DONE
    }

    private void checkOrder() {
        Map<String, Mark> marks = new HashMap<>();
        for (Job job : jobs.values())
            visit(job, marks, new ArrayList<>());
    }

    private void visit(Job job, Map<String, Mark> marks, List<String> path) {
        Mark mark = marks.get(job.name());
        if (mark == Mark.DONE)
            return;
        path.add(job.name());
        if (mark == Mark.OPEN)
            throw new IllegalArgumentException("jobs wait for each other: " + String.join(" -> ", path));
        marks.put(job.name(), Mark.OPEN);
        for (Job next : followers(job))
            visit(next, marks, path);
        marks.put(job.name(), Mark.DONE);
        path.remove(path.size() - 1);
    }

    Collection<Job> jobs() {
        return jobs.values();
    }

    Job job(String name) {
        Job job = jobs.get(name);
        if (job == null)
            throw new IllegalArgumentException("there is no job " + name);
        return job;
    }

    List<Job> followers(Job job) {
        return followers.getOrDefault(job.name(), List.of());
    }

    /** The job and all that come after it, each one behind those that it waits for. */
    List<Job> chain(Job first) {
        List<Job> chain = new ArrayList<>();
        add(first, chain);
        return chain;
    }

    private void add(Job job, List<Job> chain) {
        for (Job next : followers(job))
            if (!chain.contains(next))
                add(next, chain);
        chain.add(0, job);
    }
}
