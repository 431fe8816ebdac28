// Exceptions that leave many methods, and a StackOverflowError, of which the innermost methods have no exit.
import java.util.concurrent.FutureTask;

public class Depths {
    static int deepest;

    static void down(int n) {
        if (n == 0)
            throw new IllegalStateException("bottom");
        down(n - 1);
    }

    static void deeper(int n) {
        deepest = n;
        deeper(n + 1);
    }

    static void overflow() {
        try {
            deeper(0);
        } catch (StackOverflowError e) {
            after(deepest > 0);
        }
    }

    static void after(boolean deep) {
        System.out.println(deep);
    }

    public static void main(String[] args) throws Exception {
        for (int n : new int[] {10, 61, 62, 63, 64, 300, 1500}) {
            Thread t = new Thread(() -> down(n), "n" + n);
            t.setUncaughtExceptionHandler((thread, e) -> { });
            t.start();
            t.join();
        }
        for (int n : new int[] {100, 1500}) {
            FutureTask<Object> task = new FutureTask<>(() -> down(n), null);
            Thread t = new Thread(task, n == 100 ? "task" : "deep task");
            t.start();
            t.join();
        }
        Thread small = new Thread(null, Depths::overflow, "small", 300_000);
        small.start();
        small.join();
    }
}
