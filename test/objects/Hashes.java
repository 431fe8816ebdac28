import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;

/**
 * Prints how the identity hashes of 4096 new objects are spread, of those that the recorder meets first and of those
 * that are hashed first: how many lie beside the one before, and how many different values take 12 bits of hash * 31
 * and of hash ^ hash >>> 16; how many are equal; and the JVM's rule for hashes.
 */
public class Hashes {
    static void show(Object o) { }

    static String spread(int[] hashes) {
        Set<Integer> product = new HashSet<>(), folded = new HashSet<>(), all = new HashSet<>();
        int neighbours = 0;
        for (int i = 0; i < hashes.length; i++) {
            if (i > 0 && Math.abs(hashes[i] - hashes[i - 1]) == 1) neighbours++;
            product.add(hashes[i] * 31 & 4095);
            folded.add((hashes[i] ^ hashes[i] >>> 16) & 4095);
            all.add(hashes[i]);
        }
        return neighbours + " " + product.size() + " " + folded.size() + " " + (hashes.length - all.size());
    }

    public static void main(String[] args) {
        int[] met = new int[4096], hashed = new int[4096];
        Object[] objects = new Object[4096];
        for (int i = 0; i < 4096; i++) {
            objects[i] = new Object();
            show(objects[i]);
            met[i] = objects[i].hashCode();
        }
        for (int i = 0; i < 4096; i++) {
            Object o = new Object();
            hashed[i] = o.hashCode();
            show(o);
        }
        System.gc();
        for (int i = 0; i < 4096; i++)
            if (met[i] != System.identityHashCode(objects[i])) throw new AssertionError("another hash");
        System.out.println(spread(met) + " " + spread(hashed) + " "
            + ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption("hashCode").getValue());
    }
}
