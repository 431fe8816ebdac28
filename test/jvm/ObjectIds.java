import java.util.*;

/** Object ids are exact: one object, one id, through collections, locking, hashing, cloning, on every collector and compiler. */
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
    // The check is in the program's own words: twice(o) records o two times, and the test reads that ids repeat pairwise.
    static void twice(Object a, Object b) { }
    static int hashes;
    public static void main(String[] args) throws Exception {
        List<Object> kept = new ArrayList<>();
        Map<Object, Integer> identity = new IdentityHashMap<>();
        Random random = new Random(1);
        for (int i = 0; i < 20000; i++) {
            Object o = switch (i % 5) { case 0 -> new Object(); case 1 -> new int[i % 7]; case 2 -> new StringBuilder(); case 3 -> new ArrayList<>(); default -> new Integer[1]; };
            if (i % 3 == 0) System.identityHashCode(o);       // hashed by the JVM before we see it
            if (i % 11 == 0) synchronized (o) { twice(o, o); } // first seen while locked
            twice(o, o);
            if (i % 4 == 0) { kept.add(o); identity.put(o, o.hashCode() == System.identityHashCode(o) ? System.identityHashCode(o) : 0); }
            if (i % 5000 == 0) System.gc();
            byte[] garbage = new byte[random.nextInt(2000)];
        }
        System.gc();
        for (Object o : kept) {
            twice(o, o);
            int h = identity.get(o);
            if (h != 0 && h != System.identityHashCode(o)) throw new AssertionError("the hash of an object changed");
        }
        int[] original = {1, 2};
        twice(original, original);
        int[] clone = original.clone();
        twice(clone, clone);
        Thread[] t = new Thread[3];
        Object[] shared = new Object[3000];
        Arrays.setAll(shared, i -> new Object());
        for (int k = 0; k < t.length; k++) {
            int seed = k;
            t[k] = new Thread(() -> { for (Object o : shared) { if (seed == 1) synchronized (o) { twice(o, o); } else twice(o, o); } });
        }
        for (Thread x : t) x.start();
        for (Thread x : t) x.join();
        System.out.println(kept.size() + " kept, " + identity.size());
    }
}
// twice is checked by ids.py through the line below
// check: ids.py
