package int_overflow;

class Quota {
    private final long limit;
    private long used;

    Quota(int gigabytes) {
        // repair integer-overflow: limit = gigabytes * 1024L * 1024 * 1024;
        limit = gigabytes * 1024 * 1024 * 1024;
    }

    boolean take(long bytes) {
        if (used + bytes > limit) return false;
        used += bytes;
        return true;
    }

    long left() {
        return limit - used;
    }
}
