package swallowed_exception;

class Pool {
    private final int threads, queue;

    Pool(Settings settings) {
        threads = settings.number("threads", 1);
        queue = settings.number("queue", 10);
    }

    int capacity() {
        return threads * queue;
    }
}
