/** Code that is not woven wraps a StackOverflowError (reflection) or swallows it (FutureTask): the frame that goes on
 * is known, though the exits of those above had no stack for their hooks. What is read of `sum` is what was written. */
// labels: slow
// jvm: -Xss512k
// args: 5
// checkjni: no
// agent: weave=ALL
// check: written.py
// agent: weave=ALL,derive=on
// check: written.py
// agent: weave=ALL,derive=on | -Xint
// check: written.py
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

public class StackOverflowWrapped {
    static Method self;
    static long sum, read;
    static int caught;

    static int reflected(int n) {
        if (n < 0)
            return 0;
        try {
            return (Integer) self.invoke(null, n + 1);
        } catch (InvocationTargetException e) {
            sum += n;
            return n;
        } catch (IllegalAccessException e) {
            return 2;
        }
    }

    static class Task implements Runnable {
        final int n;
        Task(int n) { this.n = n; }
        @Override public void run() {
            try {
                if (n >= 0)
                    swallowed(n + 1);
            } finally {
                caught++;
            }
        }
    }

    static int swallowed(int n) {
        FutureTask<Integer> task = new FutureTask<>(new Task(n), 1);
        task.run();
        try {
            return task.get();
        } catch (ExecutionException | InterruptedException e) {
            sum += n;
            return n;
        } finally {
            read += sum;
        }
    }

    public static void main(String[] args) throws Exception {
        self = StackOverflowWrapped.class.getDeclaredMethod("reflected", int.class);
        swallowed(-1);
        for (int i = 0; i < 50; i++)
            self.invoke(null, -1);
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            try {
                reflected(0);
            } catch (StackOverflowError e) {
                caught++;
            }
            read += sum;
            try {
                swallowed(0);
            } catch (StackOverflowError e) {
                caught++;
            }
            read += sum;
        }
        System.out.println(sum > 0 && read > 0 && caught > 0); // how deep the stack goes is not the same each time
    }
}
