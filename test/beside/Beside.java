import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The program of most of these tests: Beside ROUNDS [STOP]. A few kinds of code whose output does not depend on time;
 * with the name of a file, rounds go on until that file exists. At the end it prints how often step was called, as it
 * counts itself (with STOP on standard error). (JaCoCo of Debian reads class files up to those of Java 15.)
 */
// javac: -g --release 11
public class Beside {
    interface Shape {
        double area();

        default String told() { return getClass().getSimpleName() + " " + area(); }
    }

    static class Square implements Shape {
        private final double side;

        Square(double side) { this.side = side; }

        public double area() { return side * side; }
    }

    static class Circle implements Shape {
        private final double radius;

        Circle(double radius) {
            if (radius < 0) throw new IllegalArgumentException("radius " + radius);
            this.radius = radius;
        }

        public double area() { return 3 * radius * radius; }
    }

    private static long steps;
    private static final Object lock = new Object();
    private static volatile int last;

    static int step(int n) {
        synchronized (lock) {
            steps++;
            last = n;
        }
        int[] squares = new int[5];
        for (int i = 0; i < squares.length; i++) squares[i] = n * i;
        IntUnaryOperator twice = i -> 2 * i + squares[i % 5];
        return twice.applyAsInt(n & 7) + switchOn("k" + n % 3);
    }

    static int switchOn(String key) {
        switch (key) {
        case "k0": return 1;
        case "k1": return 20;
        default: return 300;
        }
    }

    /** A loop of more rounds than `latest` keeps events. */
    static int filled(int n) {
        int[] values = new int[100];
        for (int i = 0; i < values.length; i++) values[i] = n + i;
        return values[99];
    }

    static String shapes(int n) {
        List<Shape> all = new ArrayList<>();
        for (int i = -1; i < 3; i++)
            try {
                all.add(i % 2 == 0 ? new Square(i + n) : new Circle(i));
            } catch (IllegalArgumentException e) {
                all.add(new Square(e.getMessage().length()));
            } finally {
                last++;
            }
        StringBuilder b = new StringBuilder();
        for (Shape s : all) b.append(s.told()).append(' ');
        return b.toString();
    }

    static long round(int n) {
        long sum = 0;
        for (int i = 0; i < 20; i++) sum = 31 * sum + step(n + i);
        return sum + filled(n) + shapes(n).hashCode();
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 0; i < rounds; i++) System.out.println(i + " " + round(i));
        if (args.length > 1) {
            long expected = round(7);
            while (!Files.exists(Path.of(args[1])))
                for (int i = 0; i < 50; i++)
                    if (round(7) != expected) throw new AssertionError("a round computes something else");
        }
        Thread other = new Thread(() -> System.out.println("thread " + round(3)));
        other.start();
        other.join();
        (args.length == 1 ? System.out : System.err).println("steps " + steps);
    }
}
