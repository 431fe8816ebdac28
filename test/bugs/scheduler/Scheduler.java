package scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** Runs jobs in simulated time. */
final class Scheduler {
    private final Graph graph;
    private final Resources resources;
    private final int workers;
    private final PriorityQueue<Run> waiting = new PriorityQueue<>();
    private final List<Run> running = new ArrayList<>();
    private final List<Run> history = new ArrayList<>();
    private final Map<String, Clock> planned = new HashMap<>();
    private final Map<String, Set<String>> doneBefore = new HashMap<>(); // of jobs that wait for others
    private Clock now;
    private long runs;

    Scheduler(Collection<Job> jobs, Resources resources, int workers, Clock start) {
        this.graph = new Graph(jobs);
        this.resources = resources;
        this.workers = workers;
        this.now = start;
        for (Job job : jobs) {
            resources.check(job);
            if (job.timetable() != null)
                plan(job, start.plus(-1));
        }
    }

    Clock now() {
        return now;
    }

    List<Run> history() {
        return history;
    }

    private void plan(Job job, Clock after) {
        Clock next = job.timetable().next(after);
        if (next == null)
            planned.remove(job.name());
        else
            planned.put(job.name(), next);
    }

    /** When the job is due next; null: by its timetable never. */
    Clock planned(String name) {
        return planned.get(graph.job(name).name());
    }

    /** Everything that happens before that time. */
    void runUntil(Clock end) {
        while (now.compareTo(end) < 0) {
            endRuns();
            addDue();
            startRuns();
            Clock next = nextEvent();
            if (next == null || next.compareTo(end) >= 0) {
                now = end;
                break;
            }
            now = next;
        }
    }

    private Clock nextEvent() {
        Clock next = null;
        for (Clock at : planned.values())
            next = earlier(next, at);
        for (Run run : running)
            next = earlier(next, run.started().plus(run.job().duration()));
        for (Run run : waiting)
            if (run.due().compareTo(now) > 0)
                next = earlier(next, run.due());
        return next;
    }

    private static Clock earlier(Clock a, Clock b) {
        return a == null || b.compareTo(a) < 0 ? b : a;
    }

    private void addDue() {
        for (Job job : graph.jobs()) {
            Clock due = planned.get(job.name());
            if (due == null || due.compareTo(now) > 0)
                continue;
            plan(job, due);
            if (isActive(job)) {
                Run skipped = new Run(job, due, runs++, 1);
                skipped.skip(now);
                history.add(skipped);
            } else {
                waiting.add(new Run(job, due, runs++, 1));
            }
        }
    }

    private boolean isActive(Job job) {
        for (Run run : waiting)
            if (run.job() == job)
                return true;
        for (Run run : running)
            if (run.job() == job)
                return true;
        return false;
    }

    private void startRuns() {
        List<Run> later = new ArrayList<>();
        while (running.size() < workers && !waiting.isEmpty()) {
            Run run = waiting.poll();
            if (run.due().compareTo(now) > 0 || !resources.take(run.job())) {
                later.add(run);
                continue;
            }
            run.start(now);
            running.add(run);
        }
        waiting.addAll(later);
    }

    private void endRuns() {
        List<Run> ended = new ArrayList<>();
        for (Iterator<Run> i = running.iterator(); i.hasNext();) {
            Run run = i.next();
            if (run.started().plus(run.job().duration()).compareTo(now) > 0)
                continue;
            i.remove();
            resources.give(run.job());
            ended.add(run);
        }
        for (Run run : ended) {
            boolean done = run.job().work(run.started(), run.attempt());
            run.end(now, done);
            history.add(run);
            if (done)
                follow(run);
            else
                again(run);
        }
    }

    private void again(Run run) {
        Retry retry = run.job().retry();
        if (retry.allows(run.attempt()))
            waiting.add(new Run(run.job(), now.plus(retry.delay(run.attempt())), runs++, run.attempt() + 1));
    }

    private void follow(Run run) {
        for (Job next : graph.followers(run.job())) {
            Set<String> done = doneBefore.computeIfAbsent(next.name(), name -> new HashSet<>());
            done.add(run.job().name());
            if (!done.containsAll(next.after()))
                continue;
            done.clear();
            waiting.add(new Run(next, now, runs++, 1));
        }
    }
}
