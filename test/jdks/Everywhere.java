import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * What test/jdks/run.sh records, in the language of Java 8.
 *
 *     Everywhere run          one thread after the other, the same events each time
 *     Everywhere ids          objects that survive collections: touch(node, serial), five rounds
 *     Everywhere steps        says "ready PID", and "reached N" after step(N), until standard input ends
 */
public class Everywhere {
    interface Shape { double area(); }

    static class Square implements Shape {
        final double side;
        Square(double side) { this.side = side; }
        @Override public double area() { return side * side; }
    }

    static class Node {
        final int serial;
        final Node next;
        Node(int serial, Node next) { this.serial = serial; this.next = next; }
    }

    static class Failed extends Exception {
        Failed(String message, Throwable cause) { super(message, cause); }
    }

    static int depth(int n) { return n == 0 ? 0 : depth(n - 1) + 1; }

    static int divide(int a, int b) throws Failed {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            throw new Failed("divide " + a, e);
        } finally {
            a++;
        }
    }

    static long work(int rounds) {
        List<Shape> shapes = new ArrayList<>();
        long[][] grid = new long[4][4];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rounds; i++) {
            shapes.add(i % 2 == 0 ? new Square(i) : () -> 3.5);
            grid[i & 3][i >> 2 & 3] += i;
            text.append(i).append(',');
            try {
                grid[0][0] += divide(i, i % 5);
            } catch (Failed e) {
                grid[1][1] += e.getMessage().length() + e.getCause().getMessage().length();
            }
            synchronized (text) {
                grid[2][2] += depth(i % 7);
            }
        }
        double sum = text.length();
        for (Shape s : shapes)
            sum += s.area();
        return (long) sum + grid[0][0] + grid[1][1] * 31 + grid[2][2];
    }

    static void run() throws InterruptedException {
        for (int k = 1; k <= 3; k++) {
            int rounds = 40 * k;
            Thread t = new Thread(() -> System.out.println(rounds + " " + work(rounds)), "worker-" + k);
            t.start();
            t.join();
        }
    }

    static int touch(Node n, int serial) { return n.serial - serial; }

    static void ids() {
        Node[] kept = new Node[300];
        int wrong = 0;
        Node last = null;
        for (int i = 0; i < kept.length; i++)
            kept[i] = last = new Node(i, i % 10 == 0 ? null : last);
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < kept.length; i++) {
                synchronized (kept[i]) {
                    wrong += touch(kept[i], i);
                }
                if (System.identityHashCode(kept[i]) != System.identityHashCode(kept[i]))
                    wrong++;
            }
            System.gc();
        }
        System.out.println("wrong " + wrong);
    }

    static int step(int n) { return n + 1; }

    static void steps() throws Exception {
        String name = ManagementFactory.getRuntimeMXBean().getName();
        System.out.println("ready " + name.substring(0, name.indexOf('@')));
        int n = 0;
        while (System.in.available() == 0) {
            n = step(n);
            work(3);
            System.out.println("reached " + (n - 1));
            Thread.sleep(5);
        }
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "run": run(); break;
            case "ids": ids(); break;
            default: steps();
        }
    }
}
