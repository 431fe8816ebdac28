/** Stores that are done write the numbers from 8000 on, stores that throw those from 7000 on. */
public class Unwritten {
    static class Fails {
        static int count;
        static { if (true) throw new IllegalStateException(); }
    }
    static class Works { static int count; }

    int field;

    static void field(Unwritten u, int v) { u.field = v; }
    static void element(int[] a, int i, int v) { a[i] = v; }
    static void object(Object[] a, Object v) { a[0] = v; }
    static void fails(int v) { Fails.count = v; }
    static void works(int v) { Works.count = v; }

    static void caught(int[] a, int i, int v) {
        try {
            a[i] = v;
        } catch (ArrayIndexOutOfBoundsException e) {
        }
    }

    static void run(Runnable r) {
        try {
            r.run();
        } catch (Throwable t) {
        }
    }

    public static void main(String[] args) {
        Unwritten u = new Unwritten();
        int[] a = new int[2];
        Integer[] boxes = new Integer[1];
        run(() -> field(u, 8001));
        run(() -> field(null, 7001));
        run(() -> element(a, 1, 8002));
        run(() -> element(a, 2, 7002));
        run(() -> element(a, -1, 7003));
        run(() -> element(null, 0, 7004));
        run(() -> object(boxes, 8003));
        run(() -> object(boxes, "7005"));
        run(() -> fails(7006));
        run(() -> fails(7007));
        run(() -> works(8004));
        caught(a, 0, 8005);
        caught(a, 5, 7008);
    }
}
