/**
 * Objects whose hashes are asked for before the agent comes, and others; shown when a line has come: not locked,
 * locked, with a monitor.
 */
public class HashedBefore {
    static void show(Object o, int key) { }

    static void showAll(Object[] objects) throws Exception {
        for (int i = 0; i < objects.length; i++) {
            Object o = objects[i];
            if (i % 4 == 1) synchronized (o) { show(o, i); }
            if (i % 4 == 2) synchronized (o) { o.wait(0, 1); show(o, i); }
            show(o, i);
        }
    }

    public static void main(String[] args) throws Exception {
        Object[] objects = new Object[2000];
        int[] hashes = new int[objects.length];
        for (int i = 0; i < objects.length; i++) {
            objects[i] = new Object();
            if (i % 3 != 0) hashes[i] = objects[i].hashCode();
        }
        System.out.println("ready");
        System.in.read();
        showAll(objects);
        System.gc();
        showAll(objects);
        int changed = 0;
        for (int i = 0; i < objects.length; i++)
            if (i % 3 != 0 && hashes[i] != System.identityHashCode(objects[i])) changed++;
        System.out.println(objects.length + " objects, " + changed + " hashes changed");
    }
}
