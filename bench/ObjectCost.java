import java.util.Arrays;

/**
 * What it costs to know an object. The woven methods `ints` and `see` differ in the kind of their parameter only: an
 * int, whose value is recorded as it is, and an object, whose id must be found. Bursts of 20,000 calls with pauses, so
 * that buffers never fill. A new object is one that the recorder has not met; it is met again when the same objects are
 * passed a second time. Two lines: objects of a class of the program, and of one of the JDK, whose class object comes
 * out of the JVM's archive with a hash of the JVM's. Prints ns per call of each kind, medians over REPEATS, and by how
 * much an object costs more than an int.
 */
public class ObjectCost {
    static final int REPEATS = 301, WARM_UP = 300, BURST = 20_000;
    static final String[] NAMES = {"int", "new", "again"};

    static final class Woven {
        static int ints(int x) { return 1; }
        static int see(Object o) { return 1; }
    }

    static final class Own { }
    static int sink;

    static double perCall(long begun, int result) {
        long t = System.nanoTime() - begun;
        sink += result;
        return (double) t / BURST;
    }

    static double ints(int[] values) {
        long t = System.nanoTime();
        int s = 0;
        for (int v : values) s += Woven.ints(v);
        return perCall(t, s);
    }

    static double see(Object[] objects) {
        long t = System.nanoTime();
        int s = 0;
        for (Object o : objects) s += Woven.see(o);
        return perCall(t, s);
    }

    interface Maker { Object make(); }

    static void measure(String shape, Maker maker) throws Exception {
        double[][] ns = new double[3][REPEATS];
        int[] values = new int[BURST];
        for (int i = 0; i < BURST; i++) values[i] = 31 * i;
        for (int r = -WARM_UP; r < REPEATS; r++) {
            Object[] objects = new Object[BURST];
            for (int i = 0; i < BURST; i++) objects[i] = maker.make();
            for (int k = 0; k < 3; k++) {
                Thread.sleep(4);
                double t = k == 0 ? ints(values) : see(objects);
                if (r >= 0) ns[k][r] = t;
            }
        }
        StringBuilder spread = new StringBuilder();
        double[] m = new double[3];
        for (int k = 0; k < 3; k++) {
            Arrays.sort(ns[k]);
            m[k] = ns[k][REPEATS / 2];
            spread.append(String.format("%s\"%s\":[%.3f,%.3f]", k > 0 ? "," : "", NAMES[k], ns[k][REPEATS / 20],
                ns[k][REPEATS - 1 - REPEATS / 20]));
        }
        System.out.printf(
            "{\"bench\":\"objects\",\"shape\":\"%s\","
                + "\"int_ns_per_call\":%.3f,\"new_ns_per_call\":%.3f,\"again_ns_per_call\":%.3f,"
                + "\"spread\":{%s},\"new_object_ns\":%.3f,\"again_object_ns\":%.3f}%n",
            shape, m[0], m[1], m[2], spread, m[1] - m[0], m[2] - m[0]);
    }

    public static void main(String[] args) throws Exception {
        measure("own", Own::new);
        measure("jdk", Object::new);
        if (sink == 42) System.out.println();
    }
}
