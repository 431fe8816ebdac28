// Errors that lose their origin: the first is swallowed and a default goes on in its place; the second is passed on
// under another exception whose cause is a third, which nobody has thrown. The last one is passed on as it should be,
// and ends its thread.
public class Failure {
    static class Rejected extends Exception {
        Rejected(String message, Throwable cause) { super(message, cause); }
    }

    static int digits(String text) {
        int n = 0;
        for (int i = 0; i < text.length(); i++) {
            if (!Character.isDigit(text.charAt(i)))
                throw new NumberFormatException("no digit: " + text);
            n = 10 * n + text.charAt(i) - '0';
        }
        return n;
    }

    static int number(String text) {
        int fallback = -1;
        try {
            return digits(text);
        } catch (NumberFormatException e) {
            return fallback; // the error ends here
        }
    }

    static void check(int n, Exception earlier) throws Rejected {
        try {
            if (n < 0)
                throw new IllegalArgumentException("negative: " + n);
        } catch (IllegalArgumentException e) {
            throw new Rejected("rejected", earlier); // the cause should be e
        }
    }

    static void wrap(int[] values) {
        try {
            values[4] = 1;
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = number("4x");
        try {
            check(n, new UnsupportedOperationException("earlier"));
        } catch (Rejected r) {
            System.out.println(r.getMessage() + ", " + r.getCause().getMessage()); // rejected, earlier
        }
        Thread worker = new Thread(() -> wrap(new int[4])); // dies of it
        worker.start();
        worker.join();
    }
}
