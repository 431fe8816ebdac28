import java.util.*;
import java.util.function.*;

/** Receivers and arguments of all kinds, for tests of recorded calls. */
public class Kinds {
    static int tax = 7;
    static final List<String> LOG = new ArrayList<>();
    enum State { OPEN, DONE { @Override boolean ends() { return true; } }; boolean ends() { return false; } }
    record Point(int x, String n) { Point { Objects.requireNonNull(n); } }
    interface Rate { double of(String currency); }
    static class Item {
        private final String name;
        private int count;
        Item next;
        Item(String name, int count) { this.name = name; this.count = count; }
        void setCount(int count) { this.count = count; }
        int total(int price) { return count * price * tax; }
        int all() { return count + (next == null || next == this ? 0 : next.all()); }
    }
    static class Special extends Item {
        private boolean used = true;
        Special(String name) { super(name, 4); }
        @Override int total(int price) { used = false; return super.total(price) + 1; }
    }
    private final List<Item> items = new ArrayList<>();
    private final Map<Point, State> states = new HashMap<>();
    private StringBuilder text = new StringBuilder("t");

    int add(Item item) { items.add(item); LOG.add(item.name); return items.size(); }
    String put(Point p, State s) { State old = states.put(p, s); text.append(s); return text + " " + old; }
    private long sum() { long sum = 0; for (Item i : items) sum += i.count; return sum; }
    static long fold(int[] a, String s, double d, long[][] more) {
        long r = s.length() + more[1][2];
        for (int x : a) r += x;
        a[0] = -1;
        return r + (long) d;
    }
    static Point move(Point p, State s) {
        if (s.ends()) throw new IllegalStateException("done \"" + p.n() + "\"");
        return new Point(p.x() + 1, p.n());
    }
    static double price(Rate rate, Item item, String currency) { return rate.of(currency) * item.count + rate.of("X"); }
    static Object kinds(boolean z, byte b, char c, short s, long j, float f, Integer i, Class<?> type, Object o) {
        if (o instanceof int[]) throw new UnsupportedOperationException();
        return z ? List.of(b, c, s, j, f, i) : type.getName() + o;
    }
    static List<String> words(String text) { return new ArrayList<>(Arrays.asList(text.split(" "))); }
    static <T extends Comparable<T>> T most(Collection<? extends T> all) {
        T most = null;
        for (T t : all) if (most == null || t.compareTo(most) > 0) most = t;
        return most;
    }

    public static void main(String[] a) throws Exception {
        Kinds kinds = new Kinds();
        Item last = null;
        for (int i = 0; i < 4; i++) {
            Item item = i == 2 ? new Special("special") : new Item("i" + i, i);
            if (i != 2) item.setCount(i + 5);
            item.next = i == 0 ? item : last;
            last = item;
            kinds.add(item);
            System.out.println(item.total(3) + " " + item.all());
            tax++;
        }
        System.out.println(kinds.put(new Point(1, "p"), State.OPEN) + kinds.put(new Point(1, "p"), State.DONE));
        System.out.println(kinds.sum());
        System.out.println(fold(new int[] {1, 2, 3}, "ab\n\u00e9\ud83d\ude00\\", 1.5, new long[][] {null, {1, 2, -3}}));
        System.out.println(move(new Point(-1, "p\t\"q"), State.OPEN));
        try { move(new Point(1, "p"), State.DONE); } catch (IllegalStateException e) { System.out.println(e); }
        double[] rates = {1.25, 0.5};
        System.out.println(price(c -> c.length() == 1 ? rates[1] : rates[0], last, "EUR"));
        System.out.println(kinds(true, (byte) -3, '\'', (short) -4, Long.MIN_VALUE, Float.NaN, 1000, null, null));
        System.out.println(kinds(false, (byte) 3, '\n', (short) 4, -5L, -0.0f, -7, int[].class, 1e300));
        try { kinds(false, (byte) 0, 'x', (short) 0, 0, 1e-9f, null, String.class, new int[2]); }
        catch (UnsupportedOperationException e) { System.out.println(e); }
        System.out.println(words("to be or not") + " " + most(List.of(3, 9, 4)) + most(new TreeSet<>(words("a c b"))));
        System.out.println(most(new ArrayDeque<String>()));
    }
}
