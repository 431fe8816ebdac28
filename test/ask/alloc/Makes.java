import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Makes objects of many types, and says of each type how many it made, and of how many nothing was read. */
public class Makes {
    static void says(String type, int made, int unread) { System.out.println(type + " " + made + " " + unread); }

    /** 1: stored, and never touched again. */
    static class Forgotten { int written; Forgotten(int n) { written = n; } }
    static Forgotten kept;
    static void forgotten(int n) {
        for (int i = 0; i < n; i++) kept = new Forgotten(i);
        says("Makes$Forgotten", n, n);
    }

    /** 2: every third one is read. */
    static class Third { int value; }
    static int third(int n) {
        int sum = 0, read = 0;
        for (int i = 0; i < n; i++) {
            Third x = new Third();
            x.value = i;
            if (i % 3 == 0) { sum += x.value; read++; }
        }
        says("Makes$Third", n, n - read);
        return sum;
    }

    /** 3: given to woven code, which looks at some. */
    static class Passed { boolean looked() { return true; } }
    static boolean look(Passed p, boolean really) { return really && p.looked(); }
    static void passed(int n) {
        for (int i = 0; i < n; i++) look(new Passed(), i < 4);
        says("Makes$Passed", n, n - 4);
    }

    /** 4: given to code that is not woven. */
    static class Held { }
    static final List<Object> list = new ArrayList<>();
    static void held(int n) {
        for (int i = 0; i < n; i++) { Held h = new Held(); if (i % 2 == 0) list.add(h); }
        says("Makes$Held", n, n / 2);
    }

    /** 5: returned to woven code. */
    static class Returned { }
    static Returned back() { return new Returned(); }
    static void returned(int n) {
        Returned last = null;
        for (int i = 0; i < n; i++) last = back();
        says("Makes$Returned", n, n - (last instanceof Returned ? 1 : 0));
    }

    /** 6: constructors that throw make none; an exception that is thrown is read. */
    static class Refused extends RuntimeException { }
    static class Strict { Strict(int n) { if (n % 2 == 1) throw new Refused(); } }
    static void strict(int n) {
        for (int i = 0; i < n; i++)
            try { new Strict(i); } catch (Refused r) { kept = null; }
        says("Makes$Strict", n / 2, n / 2);
        says("Makes$Refused", n / 2, 0);
    }

    /** 7: by several threads. */
    static class OfThread { int n; OfThread(int n) { this.n = n; } }
    static void threads(int threads, int each) throws InterruptedException {
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            final int first = t;
            all[t] = new Thread(() -> makeOfThread(first, each), "maker-" + t);
            all[t].start();
        }
        for (Thread t : all) t.join();
        says("Makes$OfThread", threads * each, (threads - 1) * each);
    }
    static void makeOfThread(int number, int each) {
        for (int i = 0; i < each; i++) {
            OfThread o = new OfThread(i);
            if (number == 0) look(o);
        }
    }
    static int look(OfThread o) { return o.n; }

    /** 8: arrays, of one dimension and of several. */
    static void arrays(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            long[] numbers = new long[i];
            if (i > 5) sum += numbers.length;
            short[][] table = new short[2][3];
            table[1][2] = 4;
        }
        says("long[]", n, n - (n - 6));
        says("short[][]", n, 0);
        says("short[]", 2 * n, 2 * n);
    }

    /** 9: locked, or tested. */
    static class Lock { }
    static class Tested { }
    static void locks(int n) {
        for (int i = 0; i < n; i++) {
            Lock l = new Lock();
            if (i == 0) synchronized (l) { kept = null; }
            Object t = new Tested();
            if (i < 2 && t instanceof Forgotten) throw new IllegalStateException();
        }
        says("Makes$Lock", n, n - 1);
        says("Makes$Tested", n, n - 2);
    }

    /** 10: below other calls, and by a method that calls itself. */
    static class Leaf { Leaf next; }
    static Leaf grow(int depth) {
        Leaf l = new Leaf();
        if (depth > 1) l.next = grow(depth - 1);
        return l;
    }
    static void grown(int depth) {
        Leaf root = grow(depth);
        says("Makes$Leaf", depth, depth - (root.next != null ? 1 : 0));
    }

    /** 11: a key whose methods code that is not woven calls; the value is held by the map all the same. */
    static class Key {
        final int n;
        Key(int n) { this.n = n; }
        @Override public int hashCode() { return n; }
        @Override public boolean equals(Object o) { return o instanceof Key && ((Key) o).n == n; }
    }
    static class Value { }
    static void keys(int n) {
        Map<Key, Value> map = new HashMap<>();
        for (int i = 0; i < n; i++) map.put(new Key(i), new Value());
        says("Makes$Key", n, 0);
        says("Makes$Value", n, 0);
    }

    /** 12: the class of the callee is initialized between the call and its begin. */
    static class Late { static Object made = new int[1]; static void take(Object o) { } }
    static class ToLate { }
    static void late() {
        Late.take(new ToLate());
        Late.take(new ToLate());
        says("Makes$ToLate", 2, 2);
    }

    /** 13: four maps to which eleven things are added, and one that is not used; what is removed again, by all ways. */
    static void grows() {
        for (int i = 0; i < 5; i++) {
            Map<Integer, List<Integer>> map = new HashMap<>();
            for (int k = 0; k <= i && i < 4; k++) map.put(k, held);
            if (i == 3) map.merge(1, held, (a, b) -> a);
            for (List<Integer> inner : map.values()) inner.size();
        }
    }
    static final List<Integer> held = new ArrayList<>();
    static void shrinks() {
        for (int i = 0; i < 5; i++) {
            List<Integer> list = new ArrayList<>();
            for (int k = 0; k < 3; k++) list.add(k);
            if (i == 0) list.remove(0);
            if (i == 1) list.clear();
            if (i == 2) list.removeIf(x -> x == 1);
            if (i == 3) for (Iterator<Integer> all = list.iterator(); all.hasNext();) if (all.next() == 2) all.remove();
            if (i == 4) list.subList(0, 2).clear();
        }
    }

    /** 14: ten strings of three texts. */
    static String texts(int n) {
        String last = "";
        for (int i = 0; i < n; i++) last = "text " + i % 3;
        return last;
    }

    /** 15: ten arrays of four contents; given to code that is not woven; of objects, one longer. */
    static int pairs(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            int[] pair = new int[2];
            pair[0] = i % 4;
            pair[1] = 7;
            sum += pair[0];
        }
        return sum;
    }
    static void givenAway(int n) {
        for (int i = 0; i < n; i++) { char[] text = new char[3]; text[0] = 'x'; String.valueOf(text); }
    }
    static class Cell { }
    static void objects() {
        Object one = new Cell(), other = new Cell();
        for (int i = 0; i < 6; i++) {
            Object[] all = new Object[i == 5 ? 3 : 2];
            all[i == 4 ? 1 : 0] = i == 3 ? other : one;
            if (i == 4) all[0] = one;
        }
    }

    public static void main(String[] args) throws Exception {
        forgotten(10);
        third(10);
        passed(9);
        held(8);
        returned(5);
        strict(6);
        threads(3, 7);
        arrays(10);
        locks(4);
        grown(12);
        keys(5);
        late();
        grows();
        shrinks();
        texts(10);
        pairs(10);
        givenAway(4);
        objects();
    }
}
