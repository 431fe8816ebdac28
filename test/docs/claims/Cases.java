/** Small programs of the claims: the first argument says which. */
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

public class Cases {
    static int number, total;
    static String text;
    int field;
    volatile int flag;

    static class Base {
        Base(int n) {
            if (n < 0)
                throw new IllegalArgumentException("negative");
        }
    }

    static class Sub extends Base {
        final int kept;

        Sub(int n) {
            super(n);
            kept = n;
        }
    }

    record Pair(int left, String right) {}

    static void output() throws Exception {
        System.out.println("by println");
        try (var channel = new FileOutputStream("channel.out").getChannel()) {
            channel.write(ByteBuffer.wrap("by a channel".getBytes()));
        }
        System.setOut(new PrintStream(new FileOutputStream("led.out")));
        System.out.println("led elsewhere");
    }

    static void thrown() {
        int[] numbers = { 1, 2 };
        Object object = "a text";
        for (int i = 0; i < 5; i++)
            try {
                switch (i) {
                case 0 -> number = numbers[i + 2];
                case 1 -> number = 7 / number;
                case 2 -> number = ((Integer) object);
                case 3 -> number = text.length();
                default -> numbers = new int[-i];
                }
            } catch (RuntimeException e) {
                total++;
            }
    }

    static void constructors() {
        for (int n = -1; n < 2; n++)
            try {
                new Sub(n);
            } catch (IllegalArgumentException e) {
                total++;
            }
    }

    static void reflection() throws Exception {
        Cases c = new Cases();
        c.field = 1;
        Cases.class.getDeclaredField("field").setInt(c, 2);
        total += c.field;
        int[] from = { 5, 6 }, to = new int[2];
        to[0] = from[1];
        System.arraycopy(from, 0, to, 0, 2);
        total += to[1];
    }

    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += step(i);
        return sum;
    }

    static int step(int i) {
        return i + 1;
    }

    static int recursive(int n) {
        return n == 0 ? 0 : 1 + recursive(n - 1);
    }

    static int nested(int n) {
        return n == 0 ? loop(2) : nested(n - 1);
    }

    static void values() {
        double zero = 0;
        double nan = zero / zero, least = -0.0;
        boolean[] flags = { true, false };
        char letter = 'x';
        long big = 5000000000L;
        total += Double.isNaN(nan) ? 1 : 0;
        text = nan + " " + least + flags[0] + letter + big;
        Pair pair = new Pair(3, "right");
        text = pair.right() + Optional.of(7) + new StringBuilder("built").append(1);
    }

    static void volatiles() throws Exception {
        Cases c = new Cases();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++)
            (threads[i] = new Thread(() -> {
                for (int n = 0; n < 3; n++)
                    c.flag = n;
            })).start();
        for (Thread t : threads)
            t.join();
    }

    static void daemon() throws Exception {
        Thread t = new Thread(() -> {
            while (true)
                loop(10);
        });
        t.setDaemon(true);
        t.start();
        Thread.sleep(20);
    }

    static void secret() {
        String other = String.join(" ", "seen", "elsewhere");
        total += other.length();
        String password = String.join(" ", "open", "sesame", "1");
        total += password.length();
        String derived = "password is " + password;
        total += derived.length();
        char[] letters = password.toCharArray();
        total += letters[0];
        try {
            throw new IllegalStateException("refused: " + password);
        } catch (IllegalStateException e) {
            total++;
        }
    }

    static void fork() throws Exception {
        loop(3);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        new ProcessBuilder(java, "-cp", "classes", "Cases", "loop").inheritIO().start().waitFor();
    }

    static synchronized void locked() throws InterruptedException {
        Thread.sleep(5);
    }

    static void shuffled() {
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        list.add(4);
        List<Integer> other = new ArrayList<>();
        other.add(9);
        Collections.shuffle(list);
        total += list.size() + other.get(0);
        Supplier<Integer> later = () -> other.get(0) + list.size();
        total += later.get();
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "output" -> output();
        case "thrown" -> thrown();
        case "constructors" -> constructors();
        case "reflection" -> reflection();
        case "loop" -> System.out.println(loop(args.length > 1 ? Integer.parseInt(args[1]) : 40));
        case "recursive" -> System.out.println(recursive(Integer.parseInt(args[1])));
        case "nested" -> nested(5);
        case "values" -> values();
        case "volatiles" -> volatiles();
        case "daemon" -> daemon();
        case "secret" -> secret();
        case "fork" -> fork();
        case "shuffled" -> shuffled();
        case "locked" -> {
            Thread t = new Thread(() -> {
                try {
                    locked();
                } catch (InterruptedException e) {
                }
            });
            t.start();
            locked();
            t.join();
        }
        case "exit" -> System.exit(7);
        case "properties" -> System.out.println(System.getProperty("key") + Arrays.toString(args));
        default -> throw new IllegalArgumentException(args[0]);
        }
    }
}
