// Exceptions of all kinds that the JVM, or code that is not woven, throws. For each it prints what the JVM says: type,
// message, and the frames of its stack that are in woven classes, innermost first.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

public class Throws {
    static class Node {
        Node next;
        int value;
        long wide;
        int[] numbers;
        Node[][] grid;
        String name;

        Node self() { return this; }
        Node none(int a, long b, String c) { return null; }
        static Node nothing(Object o, StringBuilder s, List<String> l, int[][] i) { return null; }
    }

    static Node root;
    static int zero;
    static final List<Throwable> seen = new ArrayList<>();

    // ---- null ----
    static int field(Node n) {
        int before = 2;
        return before + n.value;
    }
    static void fieldStore(Node n) {
        n.value = 3;
        zero = 0;
    }
    static void wideStore(Node n) { n.wide = 3L; }
    static int chain(Node n) { return n.self().next.next.value + n.value; }
    static int chainLater(Node n) { return n.next.value + n.next.next.value + n.value; }
    static int statics() { return Throws.root.next.value; }
    static int loadElement(int[] a, int i) { return a[i] + i; }
    static void storeElement(Node n, int i) { n.numbers[i + 1] = i; }
    static long loadLong(long[] a) { return a[1]; }
    static void storeDouble(double[] a) { a[1] = 0.5; }
    static boolean loadBoolean(boolean[] a) { return a[0]; }
    static char loadChar(char[] a) { return a[0]; }
    static void storeShort(short[] a) { a[0] = 1; }
    static float loadFloat(float[] a) { return a[0]; }
    static int grid(Node n, int i) { return n.grid[i][2].numbers[zero]; }
    static int length(Object[] a) { return a.length; }
    static int call(String s) {
        int n = 3;
        n += s.length();
        return n;
    }
    static Object callWith(Node n) { return n.none(1, 2L, "x").self(); }
    static Object callStatic(Node n) { return Node.nothing(n, null, null, null).self(); }
    static int callInterface(List<String> l) { return l.size(); }
    static Object callArguments(Node n, StringBuilder b) { return n.none(b.length(), 1L, null); }
    static void monitor(Object lock) {
        synchronized (lock) { zero = 0; }
    }
    static int unbox(Integer i) { return i + 1; }
    static int unboxGet(Map<String, Integer> m) {
        int sum = 1;
        sum += m.get("there is none");
        return sum;
    }
    static void throwNull(RuntimeException e) { throw e; }
    static int switches(String s) {
        switch (s) {
        case "a": return 1;
        default: return 2;
        }
    }
    static int enums(Thread.State s) {
        switch (s) {
        case NEW: return 1;
        default: return 2;
        }
    }
    static int each(List<String> l) {
        int n = 0;
        for (String s : l)
            n++;
        return n;
    }
    static int clones(int[] a) { return a.clone().length; }
    int own;
    int noLocal(Throws t) { return own + t.own; }

    // ---- arrays ----
    static int index(int[] a, int from) {
        int sum = 0;
        for (int i = from; i <= a.length; i++) {
            int next = a[i];
            sum += next;
        }
        return sum;
    }
    static void indexStore(byte[] a, int i) { a[i] = 1; }
    static int twoArrays(int[] a, int[] b) { return a[1] + b[1] + a[2]; }
    static int[] negative(int n) { return new int[n]; }
    static String[] negativeObjects(int n) {
        int m = n;
        return new String[m];
    }
    static int[][] negativeMany(int n) { return new int[2][n]; }
    static void store(Object[] a, Object o) { a[0] = o; }

    // ---- casts, divisions ----
    static int cast(Object o) {
        int n = 1;
        String s = (String)o;
        return n + s.length();
    }
    static int casts(List<?> l) { return ((String)l.get(0)).length() + ((Integer)l.get(1)); }
    static int divide(int a, int b) {
        int q = 1;
        q += a / b;
        return q;
    }
    static long remainder(long a, long b) { return a % b; }
    static int divisions(int a, int b, int c) { return (a / b) + (a % c) / (b - c); }

    // ---- calls ----
    static int parse(String s) {
        int factor = 10;
        return factor * Integer.parseInt(s);
    }
    static String get(List<String> l, int i) { return l.get(i).trim(); }
    static void required(Object o) {
        Objects.requireNonNull(o, "an object is needed");
        zero = 0;
    }
    static void immutable() {
        List<Integer> l = List.of(1, 2);
        l.set(0, 3);
    }
    static int twice(String a, String b) { return Integer.parseInt(a) + Integer.parseInt(b); }
    static int deep(int n) {
        if (n == 0) return n / zero;
        int below = deep(n - 1);
        return below + 1;
    }
    static Integer changing(Map<String, Integer> m, String key) { // its callback returns before it throws
        return m.computeIfAbsent(key, k -> m.size() + m.merge("other", 1, (x, y) -> x));
    }
    static int sorted(List<Integer> l) {
        l.sort((x, y) -> x.compareTo(y));
        return l.size();
    }
    static int lambda(Supplier<String> s) { return s.get().length(); }
    static int mapped(Integer n) {
        Function<Integer, Integer> half = x -> 100 / x;
        return half.andThen(x -> x + 1).apply(n);
    }
    static int treeMap(TreeMap<String, Integer> m) { return m.put(null, 1); }

    // ---- handlers ----
    static int nested(String s) {
        try {
            try {
                return s.length();
            } catch (ArithmeticException e) {
                return 1;
            }
        } catch (IllegalStateException e) {
            return 2;
        }
    }
    static int inside(String s) {
        try {
            return s.length();
        } catch (NullPointerException e) {
            int n = 4;
            return n / zero;
        }
    }
    static int afterTry(String s) {
        int n = 0;
        try {
            n += s.length();
        } catch (RuntimeException e) {
            n = 1;
        }
        return root.value + n;
    }
    static int finals(String s) {
        int n = 1;
        try {
            n += s.length();
        } finally {
            n++;
        }
        return n;
    }
    static void resources() throws Exception {
        try (AutoCloseable c = () -> zero = 1) {
            root.value = 1;
        }
    }
    static int locked(Object lock, int[] a) {
        synchronized (lock) {
            int last = a.length;
            return a[last];
        }
    }
    static synchronized int synchronizedToo(int n) { return 1 / n; }

    // ---- constructors, initializers ----
    static class Base {
        final int size;
        Base(int size) { this.size = 10 / size; }
    }
    static class Derived extends Base {
        final String name;
        Derived(String name) {
            super(name.length());
            this.name = name;
        }
        Derived(int n) { this(n == 0 ? "" : null); }
    }
    static class FieldInit {
        int first = 1;
        int second = root.value;
        FieldInit() { first = 2; }
    }
    static class StaticInit {
        static int first = 1;
        static int second = first / zero;
        static int third = 3;
    }
    static Object made(String s) { return new Derived(s); }
    static Object madeThis(int n) { return new Derived(n); }
    static Object madeFields() { return new FieldInit(); }
    static int initialized() {
        int n = 1;
        return n + StaticInit.third;
    }
    static int again() { return StaticInit.third; }

    static int loops(int[] a) {
        int sum = 0, i = 0;
        while (true) {
            if (i % 2 == 0)
                sum += a[i];
            else
                sum -= a[i];
            i++;
        }
    }
    static int conditional(Node a, Node b, boolean first) { return (first ? a : b).value; }

    interface Case {
        Object run() throws Throwable;
    }

    static void check(String name, Case c) {
        try {
            c.run();
        } catch (Throwable e) {
            say(name, e);
            return;
        }
        System.out.println(name + "\tnothing");
    }

    static void say(String name, Throwable e) {
        StringBuilder s = new StringBuilder(name + "\t" + e.getClass().getName() + "\t" + e.getMessage() + "\t");
        for (StackTraceElement f : e.getStackTrace())
            if (f.getClassName().startsWith("Throws"))
                s.append(f.getClassName() + "." + f.getMethodName() + ":" + f.getLineNumber() + " ");
        System.out.println(s);
    }

    public static void main(String[] args) {
        Node n = new Node();
        n.next = new Node();
        check("field", () -> field(null));
        check("fieldStore", () -> {
            fieldStore(null);
            return null;
        });
        check("wideStore", () -> {
            wideStore(null);
            return null;
        });
        check("chain", () -> chain(n));
        check("chainLater", () -> chainLater(n));
        check("statics", () -> statics());
        check("loadElement", () -> loadElement(null, 1));
        check("storeElement", () -> {
            storeElement(n, 1);
            return null;
        });
        check("loadLong", () -> loadLong(null));
        check("storeDouble", () -> {
            storeDouble(null);
            return null;
        });
        check("loadBoolean", () -> loadBoolean(null));
        check("loadChar", () -> loadChar(null));
        check("storeShort", () -> {
            storeShort(null);
            return null;
        });
        check("loadFloat", () -> loadFloat(null));
        n.grid = new Node[][] {{null, null, null}, null};
        check("grid", () -> grid(n, 0));
        check("grid2", () -> grid(n, 1));
        check("length", () -> length(null));
        check("call", () -> call(null));
        check("callWith", () -> callWith(n));
        check("callStatic", () -> callStatic(n));
        check("callInterface", () -> callInterface(null));
        check("callArguments", () -> callArguments(n, null));
        check("callArguments2", () -> callArguments(null, new StringBuilder()));
        check("monitor", () -> {
            monitor(null);
            return null;
        });
        check("unbox", () -> unbox(null));
        check("unboxGet", () -> unboxGet(Map.of()));
        check("throwNull", () -> {
            throwNull(null);
            return null;
        });
        check("switches", () -> switches(null));
        check("enums", () -> enums(null));
        check("each", () -> each(null));
        check("clones", () -> clones(null));
        check("noLocal", () -> new Throws().noLocal(null));
        check("index", () -> index(new int[] {3, 1, 4}, 1));
        check("indexStore", () -> {
            indexStore(new byte[2], -1);
            return null;
        });
        check("twoArrays", () -> twoArrays(new int[2], new int[1]));
        check("negative", () -> negative(-2));
        check("negativeObjects", () -> negativeObjects(-3));
        check("negativeMany", () -> negativeMany(-4));
        check("store", () -> {
            store(new String[1], 1);
            return null;
        });
        check("changing", () -> changing(new HashMap<>(), "changed"));
        check("cast", () -> cast(5));
        check("casts", () -> casts(List.of("a", "b")));
        check("divide", () -> divide(6, 0));
        check("remainder", () -> remainder(6, 0));
        check("divisions", () -> divisions(6, 2, 0));
        check("divisions2", () -> divisions(6, 2, 2));
        check("parse", () -> parse("1O"));
        check("get", () -> get(List.of("a"), 2));
        check("required", () -> {
            required(null);
            return null;
        });
        check("immutable", () -> {
            immutable();
            return null;
        });
        check("twice", () -> twice("1", "two"));
        check("deep", () -> deep(3));
        List<Integer> withNull = new ArrayList<>(List.of(1, 2));
        withNull.add(0, null);
        check("sorted", () -> sorted(withNull));
        check("lambda", () -> lambda(() -> null));
        check("mapped", () -> mapped(0));
        check("nested", () -> nested(null));
        check("inside", () -> inside(null));
        check("afterTry", () -> afterTry(null));
        check("finals", () -> finals(null));
        check("resources", () -> {
            resources();
            return null;
        });
        check("locked", () -> locked(n, new int[2]));
        check("synchronizedToo", () -> synchronizedToo(0));
        check("made", () -> made(null));
        check("made2", () -> made(""));
        check("madeThis", () -> madeThis(1));
        check("madeThis2", () -> madeThis(0));
        check("madeFields", () -> madeFields());
        zero = 0;
        check("initialized", () -> initialized());
        check("again", () -> again());
        check("loops", () -> loops(new int[3]));
        check("conditional", () -> conditional(n, null, false));
    }
}
