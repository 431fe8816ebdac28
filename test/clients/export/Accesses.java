import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes of fields and array elements in several threads, each noted by the program itself: `R thread object
 * Class.field`, with a number of the program's own for the object. Log is not woven. Prints the lines in their order.
 */
public class Accesses {
    static class Log {
        static final List<String> lines = new ArrayList<>();
        static final Map<Object, Integer> numbers = new IdentityHashMap<>();

        static synchronized void add(String what, Object o, String place) {
            int number = o == null ? 0 : numbers.computeIfAbsent(o, k -> numbers.size() + 1);
            lines.add(what + " " + Thread.currentThread().getId() + " " + number + " " + place);
        }

        static void print() { lines.forEach(System.out::println); }
    }

    static int counter;
    static long[][] table;
    Object next;
    int value;

    static class Base {
        int made;

        Base() {
            before();
            made = 1;
            Log.add("W", this, "Accesses$Base.made");
        }

        void before() { }
    }

    /** Its constructor stores the outer object and the captured variable before it calls super(). */
    static Base inner(Accesses outer, String captured) {
        class Local extends Base {
            Object seen;

            void before() { Log.add("W", this, "Accesses$1Local.val$captured"); }

            Local() {
                seen = "seen";
                Log.add("W", this, "Accesses$1Local.seen");
            }

            int length() {
                String s = captured;
                Log.add("R", this, "Accesses$1Local.val$captured");
                return s.length();
            }
        }
        Local local = new Local();
        local.length();
        return local;
    }

    static void failing(Accesses a, Object[] strings, int[] ints) {
        try { ints[7] = 1; } catch (ArrayIndexOutOfBoundsException e) { }
        try { strings[0] = a; } catch (ArrayStoreException e) { }
        try { throw new IllegalStateException(String.valueOf(ints[-1])); } catch (RuntimeException e) { }
        try { ((Accesses) null).value = 1; } catch (NullPointerException e) { }
        try { outOf(ints, 9); } catch (ArrayIndexOutOfBoundsException e) { }
        ints[1] = 5;
        Log.add("W", ints, "int[1]");
        strings[1] = "x";
        Log.add("W", strings, "java.lang.String[1]");
    }

    static void outOf(int[] ints, int at) { ints[at] = 1; }

    static void work(Accesses a, Object lock, int rounds) {
        for (int i = 0; i < rounds; i++)
            synchronized (lock) {
                int v = a.value;
                Log.add("R", a, "Accesses.value");
                a.value = v + 1;
                Log.add("W", a, "Accesses.value");
                int c = counter;
                Log.add("R", null, "Accesses.counter");
                counter = c + v;
                Log.add("W", null, "Accesses.counter");
            }
    }

    public static void main(String[] args) throws Exception {
        Accesses a = new Accesses();
        a.next = a;
        Log.add("W", a, "Accesses.next");
        table = new long[2][3];
        Log.add("W", null, "Accesses.table");
        long[][] t = table;
        Log.add("R", null, "Accesses.table");
        long[] row = t[1];
        Log.add("R", t, "long[][1]");
        row[2] = 1L << 62;
        Log.add("W", row, "long[2]");
        inner(a, "captured");
        failing(a, new String[2], new int[2]);
        Object lock = new Object();
        Thread[] threads = new Thread[3];
        synchronized (lock) { // the threads wait until all are noted
            for (int i = 0; i < threads.length; i++) {
                Thread it = threads[i] = new Thread(() -> work(a, lock, 20));
                Log.add("W", threads, "java.lang.Thread[" + i + "]");
                it.start();
            }
        }
        for (int i = 0; i < threads.length; i++) {
            Thread it;
            synchronized (lock) {
                it = threads[i];
                Log.add("R", threads, "java.lang.Thread[" + i + "]");
            }
            it.join();
        }
        Log.print();
    }
}
