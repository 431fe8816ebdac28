package scheduler;

/** How often, and how long after, a job that failed is run again. */
record Retry(int times, long first, double factor, long longest) {
    static final Retry NEVER = new Retry(0, 0, 1, 0);

    Retry {
        if (times < 0 || first < 0 || factor < 1)
            throw new IllegalArgumentException("no such retry: " + times + ", " + first + ", " + factor);
    }

    static Retry fixed(int times, long every) {
        return new Retry(times, every, 1, every);
    }

    static Retry growing(int times, long first, long longest) {
        return new Retry(times, first, 2, longest);
    }

    boolean allows(int failures) {
        return failures <= times;
    }

    /** Minutes to wait after so many failures. */
    long delay(int failures) {
        double delay = first;
        for (int i = 1; i < failures && delay < longest; i++)
            delay *= factor;
        return Math.min((long) delay, longest);
    }
}
