package scheduler;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Something that is run by its timetable, or after other jobs. */
final class Job {
    /** What it does; `attempt` counts from 1. */
    interface Work {
        boolean run(Clock at, int attempt);
    }

    private final String name;
    private final Timetable timetable; // null: only after others
    private final int priority;
    private final long duration;
    private final Retry retry;
    private final Work work;
    private final Set<String> after = new LinkedHashSet<>();
    private final List<String> resources = new ArrayList<>();

    private Job(Builder b) {
        name = b.name;
        timetable = b.timetable;
        priority = b.priority;
        duration = b.duration;
        retry = b.retry;
        work = b.work;
        after.addAll(b.after);
        resources.addAll(b.resources);
    }

    String name() {
        return name;
    }

    Timetable timetable() {
        return timetable;
    }

    int priority() {
        return priority;
    }

    long duration() {
        return duration;
    }

    Retry retry() {
        return retry;
    }

    Set<String> after() {
        return after;
    }

    List<String> resources() {
        return resources;
    }

    boolean work(Clock at, int attempt) {
        return work.run(at, attempt);
    }

    static Builder named(String name) {
        return new Builder(name);
    }

    static final class Builder {
        private final String name;
        private Timetable timetable;
        private int priority;
        private long duration = 1;
        private Retry retry = Retry.NEVER;
        private Work work = (at, attempt) -> true;
        private final List<String> after = new ArrayList<>();
        private final List<String> resources = new ArrayList<>();

        private Builder(String name) {
            this.name = name;
        }

        Builder at(String timetable) {
            this.timetable = Timetable.parse(timetable);
            return this;
        }

        Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        Builder lasting(long minutes) {
            this.duration = minutes;
            return this;
        }

        Builder retry(Retry retry) {
            this.retry = retry;
            return this;
        }

        Builder work(Work work) {
            this.work = work;
            return this;
        }

        Builder after(String... names) {
            after.addAll(List.of(names));
            return this;
        }

        Builder needs(String... names) {
            resources.addAll(List.of(names));
            return this;
        }

        Job build() {
            if (timetable == null && after.isEmpty())
                throw new IllegalStateException(name + " would never run");
            return new Job(this);
        }
    }
}
