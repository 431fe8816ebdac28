import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/**
 * Values that go through code that is not woven. Each case prints what it did: its name, the line where the value was
 * made, the line where it was given to the JDK (0: it was not), and how that is known. origins.py asks for the causes
 * of what seen() is given.
 */
public class Origins {
    static final class Item {
        final int number;

        Item(int number) {
            this.number = number;
        }
    }

    record Pair(String left, Item right) {}

    public static int here() {
        return StackWalker.getInstance().walk(s -> s.skip(1).findFirst().get().getLineNumber());
    }

    public static void say(String name, int made, int given, String by) {
        System.out.println(name + " " + made + " " + given + " " + by);
    }

    public static void seen(Object value) {}

    public static void seenInt(int value) {}

    static void seenSecond(int first, int value) {}

    static void reflected() throws Exception {
        Object[] args = new Object[2];
        args[1] = 21; int made = here();
        args[0] = 21; // an equal one, of the other parameter
        say("reflected", made, made, "equal");
        Origins.class.getDeclaredMethod("seenSecond", int.class, int.class).invoke(null, args);
    }

    static void hashMap() {
        Map<String, Item> map = new HashMap<>();
        map.put("other", new Item(1));
        Item item = new Item(2); int made = here();
        map.put("key", item); int given = here();
        map.put("third", new Item(3));
        say("hashMap", made, given, "identity");
        seen(map.get("key"));
    }

    static void arrayList() {
        List<Item> list = new ArrayList<>();
        List<Item> decoy = new ArrayList<>();
        Item item = new Item(1); int made = here();
        list.add(item); int given = here();
        decoy.add(item); // given later, but not to this list
        say("arrayList", made, given, "identity");
        seen(list.get(0));
    }

    static void box() {
        Map<String, Integer> stock = new HashMap<>();
        stock.put("pen", 12); int given = here();
        stock.put("ink", 12); // the same box (JLS 5.1.7), but under another key
        stock.put("cup", 13);
        say("box", given, given, "identity");
        seenInt(stock.get("pen"));
    }

    static void keys() {
        Map<Integer, String> names = new HashMap<>();
        String name = "same";
        names.put(1000, name); int given = here();
        names.put(2000, name);
        say("keys", given - 1, given, "identity");
        seen(names.get(999 + names.size() / 2)); // an equal key, not the same one
    }

    static void crowd() {
        List<Item> list = new ArrayList<>(), others = new ArrayList<>();
        Item item = new Item(21); int made = here();
        list.add(item);
        for (int i = 0; i < 3000; i++) others.add(item);
        say("crowd", made, 0, "identity"); // given too often: no search goes on for ever
        seen(list.get(0));
    }

    static void boxes() {
        List<Integer> list = new ArrayList<>();
        int big = 100000; int made = here();
        list.add(big); int given = here();
        say("boxes", made, given, "identity");
        seenInt(list.get(0));
    }

    static void iterator() {
        List<Item> list = new LinkedList<>();
        Item item = new Item(4); int made = here();
        list.add(item); int given = here();
        say("iterator", made, given, "identity");
        for (Item i : list) seen(i);
    }

    static void entries() {
        Map<String, Item> map = new TreeMap<>();
        Item item = new Item(5); int made = here();
        map.put("e", item); int given = here();
        Map<String, Item> decoy = new TreeMap<>();
        decoy.put("e", item);
        say("entries", made, given, "identity");
        for (Map.Entry<String, Item> e : map.entrySet()) seen(e.getValue());
    }

    static void forEach() {
        Map<String, Item> map = new HashMap<>();
        Item item = new Item(6); int made = here();
        map.put("f", item); int given = here();
        say("forEach", made, given, "identity");
        map.values().forEach(v -> seen(v));
    }

    static void stream() {
        List<Item> list = new ArrayList<>();
        Item item = new Item(7); int made = here();
        list.add(item); int given = here();
        say("stream", made, given, "identity");
        seen(list.stream().filter(i -> i.number == 7).findFirst().get());
    }

    static void mapped() {
        List<String> names = List.of("a");
        List<Item> made =
            names.stream().map(n -> new Item(8)).collect(Collectors.toList()); int at = here();
        say("mapped", at, at, "identity");
        seen(made.get(0));
    }

    static void addAll() {
        List<Item> first = new ArrayList<>(), second = new ArrayList<>();
        Item item = new Item(9); int made = here();
        first.add(item); int given = here();
        second.addAll(first);
        say("addAll", made, given, "identity");
        seen(second.get(0));
    }

    static void copied() {
        List<Item> first = new ArrayList<>();
        Item item = new Item(10); int made = here();
        first.add(item); int given = here();
        List<Item> second = new ArrayList<>(first);
        say("copied", made, given, "identity");
        seen(second.get(0));
    }

    static void arraycopy() {
        int[] a = new int[4], b = new int[6], c = new int[6];
        a[2] = 77; int given = here();
        System.arraycopy(a, 1, b, 3, 3);
        System.arraycopy(b, 0, c, 0, 6);
        say("arraycopy", given, given, "events");
        seenInt(c[4]);
    }

    /** Inside of one array, which is source and destination of the same call. */
    static void shifted() {
        int[] a = {1, 2, 3, 4}, b = new int[5];
        a[1] = 88; int given = here();
        System.arraycopy(a, 0, b, 1, 4);
        System.arraycopy(b, 1, b, 2, 3);
        say("shifted", given, given, "events");
        seenInt(b[3]);
    }

    static void cloned() {
        Item[] a = new Item[2];
        Item item = new Item(11); int made = here();
        a[1] = item; int given = here();
        Item[] b = a.clone();
        a[1] = null;
        say("cloned", made, given, "events");
        seen(b[1]);
    }

    static void copyOf() {
        long[] a = {1L, 2L, 3L};
        a[1] = 55L; int given = here();
        long[] b = Arrays.copyOfRange(Arrays.copyOf(a, 9), 1, 3);
        say("copyOf", given, given, "events");
        seenInt((int) b[0]);
    }

    static void toArray() {
        List<Item> list = new ArrayList<>();
        Item item = new Item(12); int made = here();
        list.add(item); int given = here();
        Item[] array = list.toArray(new Item[0]);
        say("toArray", made, given, "identity");
        seen(array[0]);
    }

    static void fill() {
        int[] a = new int[3];
        int number = 91; int made = here();
        Arrays.fill(a, number); int given = here();
        say("fill", made, given, "equal");
        seenInt(a[2]);
    }

    static void builder() {
        StringBuilder text = new StringBuilder();
        text.append("first"); int given = here();
        text.append("second").append(3);
        say("builder", given, given, "computed");
        seen(text.toString());
    }

    static void pieces() {
        StringBuilder text = new StringBuilder();
        text.append(0);
        int i = 1; int given = here();
        for (; i < 20; i++) text.append(i);
        say("pieces", given, given, "computed");
        seen(text.toString());
    }

    static void manyPieces() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 70; i++) text.append('a');
        say("manyPieces", here() - 1, here() - 1, "computed");
        seen(text.toString());
    }

    interface Change { int apply(int a, String unused); }

    static int plus(int a, String unused) { return a + 1; }

    static void reference() {
        Change change = Origins::plus;
        int number = 5; int made = here();
        say("reference", made, made, "events");
        seenInt(change.apply(number, "x"));
    }

    static void capturedByThread() throws Exception {
        int number = 1111; int made = here();
        Thread t = new Thread(() -> seenInt(number)); int given = here();
        say("capturedByThread", made, given, "events");
        t.start();
        t.join();
    }

    /** The lambda that runs is known by what it has captured. */
    static void capturedByPool() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        int[] made = new int[3];
        for (int i = 0; i < 3; i++) {
            int number = i == 1 ? 2222 : 2230 + i; made[i] = here();
            pool.submit(() -> {
                if (number != 2222) return;
                say("capturedByPool", made[1], 0, "events");
                seenInt(number);
            }).get();
        }
        pool.shutdown();
    }

    /** Values of a task that were not captured come from the call that was given the task. */
    static void givenToTask() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        String text = "text"; int made = here();
        CompletableFuture<Void> last = first.thenAcceptAsync(s -> seen(s));
        say("givenToTask", made, here() + 1, "equal");
        first.complete(text);
        last.get();
    }

    final int own = 5;

    void run() { seen(this); }

    static void bound() throws Exception {
        Origins o = new Origins(); int made = here();
        Thread t = new Thread(o::run); int given = here();
        say("bound", made, given, "identity");
        t.start();
        t.join();
    }

    void inside() {
        int number = 33; int made = here();
        IntUnaryOperator add = x -> { seenInt(x); seenInt(number); return x + number + own; }; int given = here();
        say("insideArgument", given + 3, given + 3, "events");
        say("insideCaptured", made, given, "events");
        add.applyAsInt(44);
    }

    /** Its own loader, which is woven, runs between what an invokedynamic is given and its result. */
    static final class Loaded {
        static void run(String text, int number) {
            Supplier<String> lambda = () -> { seenInt(number); return text; }; int given = here();
            say("loadedLambda", made, given, "equal");
            String joined = lambda.get() + ":" + number; int at = here();
            say("loadedParts", madeText, at, "equal");
            seen(joined);
        }
    }

    public static int made, madeText;

    static final class Loader extends ClassLoader {
        int asked;

        Loader() { super(Origins.class.getClassLoader()); }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            asked++;
            if (!name.equals("Origins$Loaded")) return super.loadClass(name, resolve);
            Class<?> known = findLoadedClass(name);
            if (known != null) return known;
            try (java.io.InputStream in = getParent().getResourceAsStream("Origins$Loaded.class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static void loaded() throws Exception {
        Class<?> c = new Loader().loadClass("Origins$Loaded");
        java.lang.reflect.Method run = c.getDeclaredMethod("run", String.class, int.class);
        run.setAccessible(true);
        Object[] arguments = new Object[2];
        arguments[0] = "text"; madeText = here();
        arguments[1] = 3333; made = here();
        run.invoke(null, arguments);
    }

    /** All lines where the value was made, of which the tree has to lead to each; to none of the others. */
    static void all(String name, List<Integer> made, Integer... others) {
        StringBuilder text = new StringBuilder();
        for (int line : made) text.append(',').append(line);
        text.append('!');
        for (int line : others) text.append(',').append(line);
        System.out.println(name + " 0 0 " + text);
    }

    static void least() {
        int road = 40, made = here();
        int rail = 55, other = here();
        all("least", List.of(made, other));
        seenInt(Math.min(road, rail));
    }

    static void decimal() {
        String text = "10"; int made = here();
        java.math.BigDecimal price = new java.math.BigDecimal(text); int given = here();
        say("decimal", made, given, "computed");
        seen(price);
    }

    static void summed() {
        int one = 1001, first = here();
        int two = 2002, second = here();
        int three = 3003, decoy = here();
        List<Integer> list = new ArrayList<>();
        list.add(one);
        list.add(two);
        List.of(three).get(0);
        all("summed", List.of(first, second), decoy);
        seenInt(list.stream().mapToInt(n -> n).sum());
    }

    static void reduced() {
        Map<String, Integer> map = new TreeMap<>();
        int number = 2500, made = here();
        map.put("a", number); int given = here();
        say("reduced", made, 0, "equal");
        seenInt(map.values().stream().reduce(0, Integer::sum));
    }

    /** The recorder has copied what is in the box that comes out, which no woven code has asked for its number. */
    static void reducedToBox() {
        int number = 2510, made = here();
        Integer sum = Stream.of(number).reduce(0, Integer::sum); int given = here();
        say("reducedToBox", made, given, "equal");
        seen(sum);
    }

    /** What a factory was given comes before the start of the sum. */
    static void reducedOfFactory() {
        String text = "42"; int made = here();
        var list = List.of(new java.math.BigDecimal(text), new java.math.BigDecimal("1")); int given = here();
        say("reducedOfFactory", made, given, "computed");
        seen(list.stream().reduce(java.math.BigDecimal.ZERO, java.math.BigDecimal::add));
    }

    /** A box that is not of the cache is one object, whichever thread made it. */
    static void futureBox() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        int number = 2727, made = here();
        Future<Integer> f = pool.submit(() -> number);
        Integer back = f.get();
        pool.shutdown();
        say("futureBox", made, 0, "identity");
        seen(back);
    }

    static void stageBox() throws Exception {
        int number = 2828, made = here();
        say("stageBox", made, 0, "identity");
        CompletableFuture.supplyAsync(() -> number).thenAccept(n -> seen(n)).get();
    }

    static void reducedDecimal() {
        Map<String, java.math.BigDecimal> map = new TreeMap<>();
        String text = "41"; int made = here();
        map.put("b", new java.math.BigDecimal(text)); int given = here();
        say("reducedDecimal", made, given, "computed");
        seen(map.values().stream().reduce(java.math.BigDecimal.ZERO, java.math.BigDecimal::add));
    }

    static void eachNumber() {
        int number = 6161, made = here();
        say("eachNumber", made, here() + 1, "equal");
        IntStream.of(number).forEach(i -> seenInt(i));
    }

    static void joined() {
        String name = "x"; int first = here();
        int number = 10, second = here();
        all("joined", List.of(first, second));
        seen(Stream.of(name, Integer.toString(number)).collect(Collectors.joining(",")));
    }

    static void sorted() {
        int small = 6666, made = here();
        int large = 9999, other = here();
        int[] a = {large, small};
        Arrays.sort(a);
        all("sorted", List.of(made), other);
        seenInt(a[0]);
    }

    static void characters() {
        char letter = 10101; int made = here();
        say("characters", made, here() + 1, "computed");
        seenInt(String.valueOf(new char[] {letter}).charAt(0));
    }

    static int same(int number) { return number; }

    static void invoked() throws Exception {
        int number = 5555, made = here();
        say("invoked", made, 0, "equal");
        seenInt((Integer) Origins.class.getDeclaredMethod("same", int.class).invoke(null, number));
    }

    static final class Point {
        int x, y;
    }

    static void readByReflection() throws Exception {
        Point p = new Point();
        int x = 8888, made = here();
        p.x = x; int given = here();
        p.y = 9;
        say("readByReflection", made, given, "equal");
        seenInt(Point.class.getDeclaredField("x").getInt(p));
    }

    /** Objects that many have: that it is the same one says nothing. */
    static void cachedBox() {
        BinaryOperator<Long> plus = Long::sum;
        Long nothing = 0L; int first = here();
        Long count = 3L; int second = here();
        all("cachedBox", List.of(first, second));
        seen(plus.apply(nothing, count));
    }

    static void enumConstant() {
        java.math.RoundingMode before = java.math.RoundingMode.HALF_UP; int other = here();
        String name = "HALF_UP"; int made = here();
        say("enumConstant", made, here() + 1, "computed");
        seen(java.math.RoundingMode.valueOf(name));
    }

    static void interned() {
        List<String> list = new ArrayList<>();
        list.add("left"); int other = here();
        String part = "ft"; int made = here();
        String text = new StringBuilder().append("le").append(part).toString(); int joined = here();
        say("interned", made, joined, "equal");
        seen(text.intern());
    }

    /** Slot 0 is stored into, as optimizers do; before that it has the receiver. */
    static void storedThis() throws Exception {
        /* class Reuse, written by jvm/lib/Assembler.java:
         * Object argument(Object o) { aload_1, astore_0, aload_0, areturn }
         * Object receiver(Object o) { aload_0, aload_1, astore_0, areturn } */
        String file =
            "yv66vgAAADQADQEABVJldXNlBwABAQAQamF2YS9sYW5nL09iamVjdAcAAwEABjxpbml0PgEAAygpVgwABQAGCgAEAAcBAARD"
            + "b2RlAQAIYXJndW1lbnQBACYoTGphdmEvbGFuZy9PYmplY3Q7KUxqYXZhL2xhbmcvT2JqZWN0OwEACHJlY2VpdmVyACEAAgAE"
            + "AAAAAAADAAEABQAGAAEACQAAABEAAQABAAAABSq3AAixAAAAAAABAAoACwABAAkAAAAQAAEAAgAAAAQrSyqwAAAAAAABAAwA"
            + "CwABAAkAAAAQAAIAAgAAAAQqK0uwAAAAAAAA";
        Class<?> c = java.lang.invoke.MethodHandles.lookup().defineClass(Base64.getDecoder().decode(file));
        Object o = c.getDeclaredConstructor().newInstance(); int reuse = here();
        Item item = new Item(50); int made = here();
        java.lang.reflect.Method argument = c.getMethod("argument", Object.class);
        say("storedThis", made, 0, "identity");
        seen(argument.invoke(o, item));
        say("storedThisBefore", 0, reuse, "identity"); // made without a line
        seen(c.getMethod("receiver", Object.class).invoke(o, item));
    }

    static void widened() {
        int a = 6; int made = here();
        long b = 7;
        long sum = a + b;
        say("widened", made, made, "events");
        seenInt((int) sum);
    }

    static void concatenation() {
        String a = "left"; int made = here();
        String b = a + "-" + made;
        say("concatenation", made, made + 1, "events");
        seen(b);
    }

    static void atomicReference() {
        AtomicReference<Item> reference = new AtomicReference<>();
        Item item = new Item(13); int made = here();
        reference.set(item); int given = here();
        say("atomicReference", made, given, "identity");
        seen(reference.get());
    }

    static void atomicInteger() {
        AtomicInteger number = new AtomicInteger(3);
        number.set(41); int given = here();
        say("atomicInteger", given, given, "equal");
        seenInt(number.get());
    }

    static void merged() {
        Map<String, Integer> counts = new HashMap<>();
        counts.put("pen", 1000);
        counts.put("ink", 5000);
        counts.merge("pen", 234, Integer::sum); int given = here();
        counts.merge("ink", 7, Integer::sum);
        say("merged", given, given, "equal");
        seen(counts.get("pen")); // not from the key
    }

    static void mergedRecord() {
        Map<Pair, Integer> counts = new HashMap<>();
        counts.put(new Pair("a", null), 2000);
        counts.merge(new Pair("a", null), 345, Integer::sum); int given = here();
        say("mergedRecord", given, given, "equal");
        seen(counts.get(new Pair("a", null)));
    }

    static void optional() {
        Item item = new Item(14); int made = here();
        Optional<Item> o = Optional.of(item); int given = here();
        say("optional", made, given, "identity");
        seen(o.orElse(null));
    }

    static void deque() {
        ArrayDeque<Item> queue = new ArrayDeque<>();
        Item item = new Item(15); int made = here();
        queue.addLast(item); int given = here();
        say("deque", made, given, "identity");
        seen(queue.pollFirst());
    }

    static void varargs() {
        Item item = new Item(16); int made = here();
        List<Item> list = Arrays.asList(new Item(0), item); int given = here();
        say("varargs", made, given, "identity");
        seen(list.get(1));
    }

    static void format() {
        String name = "Ada"; int made = here();
        say("format", made, made + 2, "computed");
        String s = String.format("%s!", name);
        seen(s);
    }

    static void records() {
        Item item = new Item(17); int made = here();
        List<Pair> pairs = new ArrayList<>();
        pairs.add(new Pair("p", item));
        say("records", made, 0, "events");
        seen(pairs.get(0).right());
    }

    static void computed() {
        Map<String, Item> map = new HashMap<>();
        map.computeIfAbsent("k", k -> new Item(18)); int made = here();
        say("computed", made, made, "identity");
        seen(map.get("k"));
    }

    static void threads() throws Exception {
        ConcurrentHashMap<String, Item> map = new ConcurrentHashMap<>();
        int[] lines = new int[2];
        Thread t = new Thread(() -> {
            Item item = new Item(19); lines[0] = here();
            map.put("t", item); lines[1] = here();
        });
        t.start();
        t.join();
        say("threads", lines[0], lines[1], "identity");
        seen(map.get("t"));
    }

    static void future() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Item item = new Item(20); int made = here();
        Future<Item> f = pool.submit(() -> item); int given = here();
        Item back = f.get();
        pool.shutdown();
        say("future", made, given, "identity");
        seen(back);
    }

    static void parsed() {
        String text = "n=31"; int made = here();
        int number = Integer.parseInt(text.substring(2));
        say("parsed", made, made + 1, "computed");
        seenInt(number);
    }

    static void asked() {
        List<Item> list = new ArrayList<>();
        Map<Item, Item> map = new HashMap<>();
        Item item = new Item(1); int made = here();
        list.add(item); int given = here();
        if (list.contains(item) && list.indexOf(item) == 0) map.put(new Item(2), new Item(3));
        map.containsKey(item);
        say("asked", made, given, "identity");
        seen(list.get(0));
    }

    static void lambdaNumber() {
        int[] line = { 0 };
        IntUnaryOperator f = x -> { line[0] = here(); return 7; };
        int result = f.applyAsInt(10);
        say("lambdaNumber", line[0], 0, "events");
        seenInt(result);
    }

    static void filledCopy() {
        int[] a = { 1, 2, 3 }, b = a.clone();
        int nine = 9; int made = here();
        Arrays.fill(b, nine); int given = here();
        say("filledCopy", made, given, "equal");
        seenInt(b[1]);
    }

    static void emptiedCopy() {
        int[] a = { 1, 2, 3 }, b = Arrays.copyOfRange(a, 0, 2);
        int nothing = 0; int made = here();
        Arrays.fill(b, nothing); int given = here();
        say("emptiedCopy", made, given, "equal");
        seenInt(b[1]);
    }

    static void padded() {
        int[] a = { 1, 2 };
        int[] b = Arrays.copyOf(a, 4);
        say("padded", here() + 1, 0, "events");
        seenInt(b[3]);
    }

    static void dimensions() {
        int rows = 2; int made = here();
        int[][][] a = new int[4][rows][];
        say("dimensions", made, 0, "events");
        seenInt(a[3].length);
    }

    /** One object, given twice to one collection: each entry has its own moment. */
    static void twice() {
        List<Item> list = new ArrayList<>();
        Item item = new Item(30); int made = here();
        list.add(item); int first = here();
        list.add(new Item(31));
        list.add(item); int last = here();
        say("twiceFirst", made, first, "identity");
        seen(list.get(0));
        say("twiceLast", made, last, "identity");
        seen(list.get(2));
        list.add(0, item); int front = here();
        say("twiceMoved", made, first, "identity");
        seen(list.get(1));
        say("twiceFront", made, front, "identity");
        seen(list.get(0));
        say("twiceIterator", made, first, "identity");
        Iterator<Item> each = list.iterator();
        each.next();
        seen(each.next());
        list.remove(0);
        say("twiceRemoved", made, first, "identity");
        seen(list.remove(0));
    }

    static void twiceBoxed() {
        List<Integer> list = new ArrayList<>();
        int five = 5; int made = here();
        list.add(five); int given = here();
        list.add(5);
        say("twiceBoxed", made, given, "identity");
        seenInt(list.get(0));
    }

    static void twiceInQueue() {
        ArrayDeque<Item> queue = new ArrayDeque<>();
        Item item = new Item(32); int made = here();
        queue.add(item); int first = here();
        queue.add(item); int last = here();
        say("twiceInQueue", made, first, "identity");
        seen(queue.poll());
        say("twiceInQueueLast", made, last, "identity");
        seen(queue.peek());
    }

    static void twiceInSet() {
        Set<Item> set = new HashSet<>();
        Item item = new Item(33); int made = here();
        set.add(item); int given = here();
        set.add(item); // which keeps the one that is there
        say("twiceInSet", made, given, "identity");
        for (Item i : set) seen(i);
    }

    /** Which of them is not known: both are told. */
    static void twiceUnclear() {
        List<Item> list = new ArrayList<>();
        Item item = new Item(34); int made = here();
        list.add(item);
        list.add(item); int last = here();
        say("twiceUnclear", made, last, "identity");
        seen(list.stream().skip(1).findFirst().get());
    }

    public static void main(String[] args) throws Exception {
        hashMap();
        arrayList();
        box();
        keys();
        crowd();
        boxes();
        iterator();
        entries();
        merged();
        mergedRecord();
        forEach();
        stream();
        mapped();
        addAll();
        copied();
        arraycopy();
        shifted();
        cloned();
        copyOf();
        toArray();
        fill();
        builder();
        pieces();
        manyPieces();
        reference();
        widened();
        concatenation();
        atomicReference();
        atomicInteger();
        optional();
        deque();
        varargs();
        format();
        records();
        computed();
        threads();
        future();
        parsed();
        asked();
        lambdaNumber();
        filledCopy();
        emptiedCopy();
        padded();
        dimensions();
        twice();
        reflected();
        twiceBoxed();
        twiceInQueue();
        twiceInSet();
        twiceUnclear();
        capturedByThread();
        capturedByPool();
        givenToTask();
        bound();
        new Origins().inside();
        loaded();
        least();
        decimal();
        summed();
        reduced();
        reducedToBox();
        reducedOfFactory();
        futureBox();
        stageBox();
        reducedDecimal();
        eachNumber();
        joined();
        sorted();
        characters();
        invoked();
        readByReflection();
        cachedBox();
        enumConstant();
        interned();
        storedThis();
    }
}
