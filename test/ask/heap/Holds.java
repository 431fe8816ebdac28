import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Holds objects in many ways, has the JVM write a dump of its heap, drops some, makes others, and has it write another
 * one. Arguments: the folder of the dumps. It says of each type how many are reached from what is recorded, at both
 * moments, and how many code that is not woven holds or may hold: TYPE REACHED OUTSIDE REACHED OUTSIDE.
 */
public class Holds {
    static String folder;
    static void dump(String name) throws Exception {
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        bean.dumpHeap(folder + "/" + name + ".hprof", true);
    }

    static class InStatic { }
    static InStatic kept = new InStatic();
    static InStatic other;

    static class Chain { Chain next; Chain(Chain next) { this.next = next; } }
    static Chain chain;

    static class InArray { }
    static Object[] array;

    static class Grid { }
    static Grid[][] grid;

    static class Cyclic { Cyclic other; }
    static class Local { final Inner inner = new Inner(); }
    static class Inner { }
    static class Captured { class Of { } Of of = new Of(); }
    static class Listed { }
    static class Dropped { }
    static class Early { Object o; Early() { this(new Part()); } Early(Object o) { this.o = o; } }
    static class Part { }
    static Early early;

    static class OfThread { Inner held; }
    static class Threw { static Threw last; Threw() { last = this; throw new IllegalStateException(); } }
    static class Stored { }
    static final List<Object> list = new ArrayList<>();
    static final IdentityHashMap<Object, Object> map = new IdentityHashMap<>();
    static class Locked { }
    static class Below { Below left, right; Object value; }
    static class Value { }

    static Below tree(int depth) {
        Below b = new Below();
        if (depth > 0) {
            b.left = tree(depth - 1);
            b.right = tree(depth - 1);
        } else {
            b.value = new Value();
        }
        return b;
    }

    static void fill() {
        other = new InStatic();
        for (int i = 0; i < 10; i++) chain = new Chain(chain);
        array = new Object[4];
        for (int i = 0; i < 3; i++) array[i] = new InArray();
        array[1] = new InArray();
        grid = new Grid[3][2];
        grid[2][1] = new Grid();
        Cyclic a = new Cyclic(), b = new Cyclic();
        a.other = b;
        b.other = a;
        early = new Early();
        for (int i = 0; i < 5; i++) list.add(new Listed());
        for (int i = 0; i < 4; i++) drop(new Dropped());
        try { new Threw(); } catch (IllegalStateException e) { other = null; }
        Object[] strings = new String[1];
        try { strings[0] = new Stored(); } catch (ArrayStoreException e) { array[3] = strings; }
    }
    static void drop(Dropped d) { }

    static void change() {
        for (int i = 0; i < 4; i++) chain = chain.next;
        array[2] = null;
        grid = null;
        kept = null;
        Threw.last = null;
        list.remove(0);
        chain = new Chain(chain);
    }

    static CountDownLatch ready = new CountDownLatch(2), end = new CountDownLatch(1);
    static void hold(int number) {
        OfThread mine = new OfThread();
        if (number == 1) mine.held = new Inner();
        Locked locked = new Locked();
        synchronized (locked) {
            ready.countDown();
            try { end.await(); } catch (InterruptedException e) { throw new IllegalStateException(e); }
        }
        if (mine.held != null && number == 5) System.out.println(mine);
    }

    static void deep(Local given, int depth) throws Exception {
        Local own = new Local();
        if (depth > 0) {
            deep(own, depth - 1);
        } else {
            dump("first");
            change();
            dump("second");
        }
        if (given.inner == own.inner) throw new IllegalStateException();
    }

    public static void main(String[] args) throws Exception {
        folder = args[0];
        fill();
        Captured captured = new Captured();
        Below root = tree(3);
        Thread one = new Thread(() -> hold(1)), two = new Thread(() -> hold(2));
        one.start();
        two.start();
        ready.await();
        deep(new Local(), 2);
        end.countDown();
        one.join();
        two.join();
        if (captured.of == null || root.value != null) throw new IllegalStateException();
        String[] says = {
            "InStatic 1 0 0 0", "Chain 10 0 7 0", "InArray 3 0 2 0", "Grid 1 0 0 0", "Cyclic 0 0 0 0", "Local 4 0 4 0",
            "Inner 5 0 5 0", "Captured 1 0 1 0", "Captured$Of 1 0 1 0", "Listed 0 5 0 5", "Dropped 0 0 0 0",
            "Early 1 0 1 0", "Part 1 0 1 0", "OfThread 2 0 2 0", "Threw 1 0 0 1", "Stored 0 0 0 0", "Locked 2 0 2 0",
            "Below 15 0 15 0", "Value 8 0 8 0",
        };
        for (String line : says) System.out.println("Holds$" + line);
    }
}
