/** What test/docs/keys.py records in every form, so that answers about it have every key: with an argument it ends
 *  when standard input does. */
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

public class Everything {
    static int shared, finished;
    static Everything kept;
    static final List<String> list = new ArrayList<>();
    static final Object first = new Object(), second = new Object();
    final int[] numbers = { 3, 1, 2 };
    volatile String text = "";
    Integer box;
    char[] letters;

    static class Overridden extends RuntimeException {
        final int[] codes = { 1 };

        public String getMessage() {
            return getClass().getSimpleName() + Arrays.toString(codes);
        }
    }

    enum Colour { RED, GREEN }

    static synchronized void ofClass() throws InterruptedException {
        Thread.sleep(2);
    }

    static int twice(int n) {
        return 2 * n;
    }

    int sum(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += i % 2 == 0 ? twice(i) : numbers[i % 3];
        return sum;
    }

    static int length(String s) {
        return s.length();
    }

    static int pair(int n) {
        for (int i = 0; i < n; i++) {
            twice(i);
            length("two");
        }
        return n;
    }

    static void exceptions() throws Exception {
        try {
            System.arraycopy(new int[1], 0, new long[1], 0, 1); // the innermost frame is a native method
        } catch (ArrayStoreException e) {
        }
        try {
            length(null); // a message that the JVM computes
        } catch (NullPointerException e) {
        }
        try {
            try {
                parsed("none");
            } catch (NumberFormatException e) {
                IllegalStateException wrapped = new IllegalStateException("wrapped", e);
                wrapped.addSuppressed(new Error("beside"));
                throw wrapped;
            }
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            throw new Overridden();
        } catch (Overridden e) {
        }
        FutureTask<Integer> task = new FutureTask<>(() -> {
            throw new Exception("left to the task");
        });
        task.run();
        List.of(1, 1).forEach(i -> list.add("number " + i));
        try {
            deep(1100);
        } catch (IllegalArgumentException e) {
        }
        Thread dies = new Thread(() -> deep(1200), "dies");
        dies.setUncaughtExceptionHandler((t, e) -> finished++);
        dies.start();
        dies.join(wraps(1 << 30));
    }

    static void deep(int n) {
        if (n == 0)
            throw new IllegalArgumentException("deep");
        deep(n - 1);
    }

    void contents() {
        Map<String, Integer> map = new HashMap<>();
        for (String s : new String[] { "a", "b", "a" })
            map.merge(s, 1, Integer::sum);
        box = map.get("a") + pair(6);
        StringBuilder builder = new StringBuilder();
        for (Colour c : Colour.values())
            builder.append(c).append(' ');
        text = builder.toString();
        letters = text.toCharArray();
        length("seen elsewhere before");
        text = "seen elsewhere before";
        try {
            throw new IllegalArgumentException("not " + text);
        } catch (IllegalArgumentException e) {
        }
        Arrays.sort(numbers);
        System.arraycopy(numbers, 0, numbers, 1, 2);
        Map<Integer, Integer> squares = new TreeMap<>();
        squares.put(3, twice(3));
        Deque<Object> stack = new ArrayDeque<>();
        stack.push(map);
        Collections.shuffle(new ArrayList<>(stack));
        Function<Integer, Integer> plus = n -> n + box;
        shared += plus.apply(numbers[0]);
        double[] odd = { Double.NaN, Double.POSITIVE_INFINITY, 0.5 };
        shared += odd.length + (odd[0] > odd[1] ? 1 : 0);
    }

    static void threads() throws Exception {
        Runnable unordered = () -> {
            for (int i = 0; i < 3; i++) {
                shared++;
                list.add("entry");
            }
        };
        Thread a = new Thread(unordered, "a"), b = new Thread(unordered, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        Thread waits = new Thread(() -> nested(first, second, null), "waits");
        waits.start();
        ofClass();
        waits.join();
        CountDownLatch both = new CountDownLatch(2);
        daemon("one", () -> nested(first, second, both));
        daemon("two", () -> nested(second, first, both));
        daemon("notified", () -> {
            synchronized (list) {
                try {
                    list.wait(1000000);
                } catch (InterruptedException e) {
                }
            }
        });
        both.await();
        Thread.sleep(20);
    }

    static void nested(Object outer, Object inner, CountDownLatch both) {
        synchronized (outer) {
            try {
                if (both == null) {
                    ofClass();
                } else {
                    both.countDown();
                    both.await();
                }
            } catch (InterruptedException e) {
            }
            synchronized (inner) {
                finished++;
            }
        }
    }

    static void daemon(String name, Runnable run) {
        Thread t = new Thread(run, name);
        t.setDaemon(true);
        t.start();
    }

    static void work() throws Exception {
        Everything e = kept = new Everything();
        System.out.println(e.sum(20) + e.sum(200) + pair(4) + pair(4) + pair(5));
        System.err.print("a line ");
        System.err.print("that does not end");
        exceptions();
        e.contents();
    }

    /** More text than maxbytes=16M has room for. */
    static void fill(int megabytes) throws Exception {
        shared += new Everything().sum(100000);
        byte[] bytes = new byte[1 << 20];
        for (int i = 0; i < megabytes; i++) {
            new Random(i).nextBytes(bytes);
            length(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
        }
        for (int i = 0; i < 100; i++)
            shared += twice(i);
    }

    public static void main(String[] args) throws Exception {
        work();
        threads();
        for (int read; args.length > 0 && (read = System.in.read()) != -1;)
            if (read == 'f')
                fill(40);
            else if (read == 'k')
                System.out.println(kept.sum(3));
            else
                work();
        throw new IllegalStateException("the end");
    }

    /** The time to wait for a thread: for ever. */
    static int wraps(int a) {
        long both = a * 2 + (byte) (a + 300);
        return (int) (both * 0 + (a << 2));
    }

    static int parsed(String s) {
        int n = Integer.parseInt(s);
        return n + 1; // not reached
    }
}
