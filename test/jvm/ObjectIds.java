import java.util.*;

/**
 * Object ids are exact: one object, one id, through collections, locking, hashing, cloning, on every collector and
 * compiler.
 */
// labels: slow
// args: 5000
// long: 20000
// print: --event METHOD_PARAM
// agent: weave=EXEC+PARAM | -XX:+UseSerialGC -Xmx64m
// agent: weave=EXEC+PARAM | -XX:+UseParallelGC -Xmx64m
// agent: weave=EXEC+PARAM | -XX:+UseG1GC -Xmx64m
// agent: weave=EXEC+PARAM | -XX:+UseZGC -Xmx256m
// agent: weave=EXEC+PARAM | -XX:+UseShenandoahGC -Xmx96m
// agent: weave=EXEC+PARAM | -Xint
// agent: weave=ALL | -XX:TieredStopAtLevel=1
// agent: weave=EXEC+PARAM | -XX:+UnlockExperimentalVMOptions -XX:+UseCompactObjectHeaders | 24..
// agent: weave=EXEC+PARAM | -XX:+UnlockExperimentalVMOptions -XX:hashCode=2
// agent: weave=EXEC+PARAM | -XX:-UseBiasedLocking | ..17
// agent: weave=ALL | -XX:+UnlockDiagnosticVMOptions -XX:+VerifyBeforeGC -XX:+UseSerialGC -Xmx48m
public class ObjectIds {
    // The check is in the program's own words: twice(o) records o two times, and the test reads that ids repeat
    // pairwise.
    static void twice(Object a, Object b) { }
    static int pairs; // of the main thread
    static void count(Object o) { pairs++; twice(o, o); }
    public static void main(String[] args) throws Exception {
        List<Object> kept = new ArrayList<>();
        Map<Object, Integer> identity = new IdentityHashMap<>();
        Random random = new Random(1);
        int objects = Integer.parseInt(args[0]);
        for (int i = 0; i < objects; i++) {
            Object o = switch (i % 5) {
                case 0 -> new Object();
                case 1 -> new int[i % 7];
                case 2 -> new StringBuilder();
                case 3 -> new ArrayList<>();
                default -> new Integer[1];
            };
            if (i % 3 == 0) System.identityHashCode(o);       // hashed by the JVM before we see it
            if (i % 11 == 0) synchronized (o) { count(o); } // first seen while locked
            count(o);
            if (i % 4 == 0) {
                kept.add(o);
                identity.put(o, o.hashCode() == System.identityHashCode(o) ? System.identityHashCode(o) : 0);
            }
            if (i % (objects / 4) == 0) System.gc();
            byte[] garbage = new byte[random.nextInt(2000)];
        }
        System.gc();
        for (Object o : kept) {
            count(o);
            int h = identity.get(o);
            if (h != 0 && h != System.identityHashCode(o)) throw new AssertionError("the hash of an object changed");
        }
        int[] original = {1, 2};
        count(original);
        int[] clone = original.clone();
        count(clone);
        Thread[] t = new Thread[3];
        Object[] shared = new Object[3000];
        Arrays.setAll(shared, i -> new Object());
        for (int k = 0; k < t.length; k++) {
            int seed = k;
            t[k] = new Thread(() -> {
                for (Object o : shared) {
                    if (seed == 1) synchronized (o) { twice(o, o); } else twice(o, o);
                }
            });
        }
        for (Thread x : t) x.start();
        for (Thread x : t) x.join();
        System.out.println(objects + " objects, " + (pairs + t.length * shared.length) + " pairs, " + kept.size()
            + " kept, " + identity.size());
    }
}
// twice is checked by ids.py through the line below
// check: ids.py
