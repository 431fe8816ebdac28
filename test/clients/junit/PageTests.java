import static org.junit.jupiter.api.Assertions.*;

import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.*;

/** Tests that fail in ways that the page of a failure has a part for (page.py). */
class PageTests {
    static final String HOSTILE =
            "</pre><script>alert(1)</script>]]>&amp;'\"\n::error file=x,line=1::100%0A\u0001\u00e9\u20ac";

    record Item(String name, int cents, List<String> tags) {}

    static class Parcel {
        final Map<String, Item> items = new LinkedHashMap<>();
        private int weight;

        void pack(String name, int cents, String... tags) {
            items.put(name, new Item(name, cents, new ArrayList<>(Arrays.asList(tags))));
        }

        void weigh(int grams) {
            if (grams < 0 && weight > 0) throw new IllegalStateException("lighter than nothing"); // thrown
            weight += grams;
        }
    }

    @Test
    @DisplayName("<img src=x onerror=alert(1)> & \"more\"")
    void hostile() {
        String said = HOSTILE.replace("100", "200"); // said
        assertEquals(HOSTILE, said, "<script>alert(2)</script>");
    }

    @Test
    void parts() {
        Parcel want = new Parcel(), got = new Parcel();
        want.pack("tea", 300, "green", "fresh");
        want.pack("cup", 500);
        got.pack("tea", 290, "green"); // got
        got.pack("pot", 900);
        assertEquals(want.items, got.items);
    }

    @Test
    void fields() {
        Parcel want = new Parcel(), got = new Parcel();
        want.weigh(5);
        got.weigh(6);
        assertEquals(want, got);
    }

    @Test
    void arrays() {
        assertArrayEquals(new int[] {1, 2, 3}, new int[] {1, 5, 3});
    }

    @Test
    void refused() {
        assertThrows(IllegalStateException.class, () -> new Parcel().weigh(-1));
    }

    static int runs;

    static int half(int n) {
        return n % 2 == 0 ? n / 2 : n; // half
    }

    @RepeatedTest(2)
    void repeated() {
        assertEquals(2, half(4 + runs++));
    }

    @Test
    void waits() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        Object lock = new Object();
        Thread holder = new Thread(() -> hold(lock, held), "holder");
        holder.setDaemon(true);
        holder.start();
        held.await();
        assertNotEquals(Thread.State.TIMED_WAITING, waitsNow(holder), "it holds the lock");
    }

    static void hold(Object lock, CountDownLatch held) {
        synchronized (lock) {
            held.countDown();
            try {
                lock.wait(60_000);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    static Thread.State waitsNow(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) Thread.onSpinWait();
        return thread.getState();
    }

    static int passed(int value, int times) { return times == 0 ? value : passed(value, times - 1); }

    @Test
    void copied() {
        int origin = 40 + 1;
        assertEquals(42, passed(origin, 12));
    }

    static boolean even(int n) { return n > 0 && odd(n + 1); }

    static boolean odd(int n) { return n > 0 && even(n + 1); }

    static int days(int weeks, boolean whole) {
        int days = 1;
        days += weeks * (whole ? 7 : 5); // chosen
        return days;
    }

    /** Ten lines that come after each other: no recursion of a few. */
    static int far(int n) {
        if (n == 0) throw new UnsupportedOperationException("far");
        switch (n % 10) {
            case 1:
                return far(n - 1);
            case 2:
                return far(n - 1);
            case 3:
                return far(n - 1);
            case 4:
                return far(n - 1);
            case 5:
                return far(n - 1);
            case 6:
                return far(n - 1);
            case 7:
                return far(n - 1);
            case 8:
                return far(n - 1);
            case 9:
                return far(n - 1);
            default:
                return far(n - 1);
        }
    }

    static int left(int n) {
        int v = n;
        v = v + n % 2;
        v = v + n % 3;
        v = v + n % 4;
        v = v + n % 5;
        v = v + n % 6;
        v = v + n % 7;
        v = v + n % 8;
        v = v + n % 9;
        v = v + n % 10;
        v = v + n % 11;
        v = v + n % 12;
        v = v + n % 13;
        v = v + n % 14;
        v = v + n % 15;
        v = v + n % 16;
        v = v + n % 17;
        v = v + n % 18;
        v = v + n % 19;
        v = v + n % 20;
        v = v + n % 21;
        v = v + n % 22;
        v = v + n % 23;
        v = v + n % 24;
        v = v + n % 25;
        v = v + n % 26;
        v = v + n % 27;
        v = v + n % 28;
        v = v + n % 29;
        v = v + n % 30;
        v = v + n % 31;
        v = v + n % 32;
        v = v + n % 33;
        v = v + n % 34;
        v = v + n % 35;
        v = v + n % 36;
        v = v + n % 37;
        v = v + n % 38;
        v = v + n % 39;
        v = v + n % 40;
        v = v + n % 41;
        v = v + n % 42;
        v = v + n % 43;
        v = v + n % 44;
        v = v + n % 45;
        v = v + n % 46;
        v = v + n % 47;
        v = v + n % 48;
        v = v + n % 49;
        v = v + n % 50;
        v = v + n % 51;
        return v;
    }

    static int right(int n) {
        return n * 2; // near
    }

    int kept;

    void keep(String word, List<String> words) {
        if (!words.contains(word)) kept++;
        words.add(word);
    }

    static int endless(int n) { return endless(n + 1) + 1; }

    @Test
    void missed() {
        Map<String, Integer> stock = new TreeMap<>();
        stock.put("Pot", 7);
        String wanted = "Pot".toLowerCase(); // key
        assertEquals(7, stock.getOrDefault(wanted, 0));
    }

    @Test
    void deep() {
        assertEquals(0, endless(0));
    }

    @Test
    void mutual() {
        assertTrue(even(1));
    }

    @Test
    void distant() {
        far(60);
    }

    @Test
    void wide() {
        assertEquals(0, left(2) + right(3));
    }

    static Map<String, Object> nested(int depth, int value) {
        Map<String, Object> map = new HashMap<>();
        map.put("in", depth > 0 ? nested(depth - 1, value) : (Object) value);
        return map;
    }

    @Test
    void nests() {
        assertEquals(nested(6, 1), nested(6, 2));
    }

    @Test
    void chosen() {
        boolean whole = "x".length() > 1; // asked
        assertEquals(15, days(2, whole));
    }

    @Test
    void counted() {
        List<String> words = new ArrayList<>(); // made
        keep("a", words);
        keep("A", words);
        assertEquals(1, kept);
    }

    @Test
    void cells() {
        int[][] cells = new int[1][2];
        cells[0][0] = 1;
        cells[0][1] = 2;
        assertArrayEquals(new int[] {1, 5}, cells[0]);
    }

    @Test
    void caught() {
        int half = half(5);
        try {
            assertEquals(2, half);
        } finally {
            runs--; // nothing of the assertion
        }
    }

    @Test
    @Timeout(1)
    void starved() throws Exception {
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        Thread producer = new Thread(() -> produce(queue), "producer");
        producer.setDaemon(true);
        producer.start();
        queue.take(); // for nothing
    }

    static void produce(BlockingQueue<String> queue) {
        try {
            Thread.sleep(queue.isEmpty() ? 60_000 : 0);
        } catch (InterruptedException e) {
            return;
        }
    }

    @Test
    void slow() {
        assertTimeoutPreemptively(java.time.Duration.ofMillis(300), () -> new CountDownLatch(1).await());
    }
}

class ConstructorTests {
    ConstructorTests() {
        throw new UnsupportedOperationException("no instance"); // in a constructor
    }

    @Test
    void made(TestInfo info) {}
}

class InitializerTests {
    static final int EACH = 10 / PageTests.passed(0, 1); // in an initializer

    @Test
    void loaded() {}
}

class ConvertedTests {
    static class Refusing implements org.junit.jupiter.params.converter.ArgumentConverter {
        @Override
        public Object convert(Object value, org.junit.jupiter.api.extension.ParameterContext of) {
            throw new org.junit.jupiter.params.converter.ArgumentConversionException("no"); // in a converter
        }
    }

    @org.junit.jupiter.params.ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(ints = 1)
    void given(@org.junit.jupiter.params.converter.ConvertWith(Refusing.class) int n) {}
}
