package scheduler;

/** One run of a job, from when it is due to its end. */
final class Run implements Comparable<Run> {
    enum State {
        WAITING,
        RUNNING,
        DONE,
        FAILED,
        SKIPPED
    }

    private final Job job;
    private final Clock due;
    private final long number;
    private final int attempt;
    private State state = State.WAITING;
    private Clock started;
    private Clock ended;

    Run(Job job, Clock due, long number, int attempt) {
        this.job = job;
        this.due = due;
        this.number = number;
        this.attempt = attempt;
    }

    Job job() {
        return job;
    }

    Clock due() {
        return due;
    }

    int attempt() {
        return attempt;
    }

    State state() {
        return state;
    }

    Clock ended() {
        return ended;
    }

    Clock started() {
        return started;
    }

    void start(Clock at) {
        if (state != State.WAITING)
            throw new IllegalStateException(this + " is " + state);
        state = State.RUNNING;
        started = at;
    }

    void end(Clock at, boolean done) {
        if (state != State.RUNNING)
            throw new IllegalStateException(this + " is " + state);
        state = done ? State.DONE : State.FAILED;
        ended = at;
    }

    void skip(Clock at) {
        state = State.SKIPPED;
        ended = at;
    }

    /** The one that is due first, of these the more important one, of these the older one. */
    @Override
    public int compareTo(Run other) {
        int order = due.compareTo(other.due);
        if (order == 0)
            order = Integer.compare(other.job.priority(), job.priority());
        return order != 0 ? order : Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return job.name() + (attempt > 1 ? "#" + attempt : "") + "@" + due;
    }
}
