import java.util.*;
import java.util.concurrent.atomic.*;

// Does random things with collections of the JDK, which is not recorded, and says after each what they hold:
// java Contents SEED STEPS
// java Contents many CALLS: calls of one object
public class Contents {
    static Random random;
    static final String[] words = { "a", "bb", "c", "dd", "e", "f\u00e9", "\u4e2d" };

    enum Suit { HEART, SPADE }

    // Equal by identity: equals is that of Object.
    static class Plain {
        final int n;
        Plain(int n) { this.n = n; }
        public String toString() { return "P" + n; }
    }
    static final Plain[] plains = { new Plain(0), new Plain(1), new Plain(2) };

    static List<Object> last;
    static void deep() { last = nested(600); }

    // The test asks for `held` at the end of this method, and compares it with `shown`.
    static void check(Object held, String shown) { }
    // It must be known, too.
    static void known(Object held, String shown) { check(held, shown); }
    static void check(Object held) { check(held, String.valueOf(held)); }

    // A text, a new equal text, a box of any size, a constant, an object, sometimes null.
    static Object element(boolean nulls) {
        switch (random.nextInt(nulls ? 8 : 7)) {
        case 0: return words[random.nextInt(words.length)];
        case 1: return new String(words[random.nextInt(words.length)]);
        case 2: return random.nextInt(5);
        case 3: return 1000 + random.nextInt(3);
        case 4: return random.nextBoolean() ? 5_000_000_000L : -1L;
        case 5: return Suit.values()[random.nextInt(2)];
        case 6: return plains[random.nextInt(3)];
        default: return null;
        }
    }
    static String key() { return new String(words[random.nextInt(words.length)]); }

    static void lists(List<Object> l, int steps) {
        for (int i = 0; i < steps; i++) {
            int n = l.size();
            switch (random.nextInt(18)) {
            case 0: case 1: case 2: case 3: l.add(element(true)); break;
            case 4: l.add(random.nextInt(n + 1), element(true)); break;
            case 5: if (n > 0) l.set(random.nextInt(n), element(true)); break;
            case 6: if (n > 0) l.remove(random.nextInt(n)); break;
            case 7: l.remove(element(true)); break;
            case 8: l.addAll(List.of(1, "two", 3L)); break;
            case 9: l.addAll(n / 2, Arrays.asList("x", null, "y", "z", "q")); break;
            case 10: if (random.nextInt(4) == 0) l.clear(); break;
            case 11: Collections.reverse(l); break;
            case 12: if (n > 1) Collections.swap(l, 0, n - 1); break;
            case 13:
                for (Iterator<Object> it = l.iterator(); it.hasNext();)
                    if (it.next() == null)
                        it.remove();
                break;
            case 14:
                l.removeAll(new ArrayList<>(List.of("a", "bb", 2)));
                l.removeIf(x -> x != null && x.hashCode() % 4 == 0);
                break;
            case 15: l.contains(element(true)); l.indexOf("a"); l.forEach(x -> { }); break;
            case 16:
                try {
                    l.get(n + 5);
                } catch (IndexOutOfBoundsException e) {
                    l.add("after");
                }
                break;
            default: Collections.addAll(l, "v", "w");
            }
            check(l);
        }
        check(new ArrayList<>(l));
    }

    // A list that was added to the next one, again and again; what Collections makes.
    static List<Object> nested(int n) {
        List<Object> mine = new ArrayList<>();
        mine.add("" + n);
        if (n > 0)
            mine.addAll(nested(n - 1));
        return mine;
    }
    static void made() {
        for (int n : new int[] {3, 5, 14}) {
            List<Object> all = nested(n);
            known(all, String.valueOf(all));
        }
        known(Collections.nCopies(3, "x"), "[x, x, x]");
        known(Collections.nCopies(0, "x"), "[]");
        known(new ArrayList<>(Collections.nCopies(2, 7)), "[7, 7]");
        known(Collections.singletonList("y"), "[y]");
        known(Collections.emptyList(), "[]");
        known(new ArrayList<>(Collections.singleton("z")), "[z]");
    }

    static void deques(Deque<Object> d, int steps) {
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(11)) {
            case 0: d.addFirst(element(false)); break;
            case 1: d.addLast(element(false)); break;
            case 2: d.push(element(false)); break;
            case 3: d.offer(element(false)); break;
            case 4: d.poll(); break;
            case 5: d.pollLast(); break;
            case 6: if (!d.isEmpty()) d.pop(); break;
            case 7: d.removeFirstOccurrence(element(false)); break;
            case 8: d.removeLastOccurrence(element(false)); break;
            case 9: d.peek(); d.size(); break;
            default: d.addAll(List.of("p", "q"));
            }
            check(d);
        }
    }

    static void maps(Map<String, Object> m, int steps) {
        for (int i = 0; i < steps; i++) {
            boolean nulls = !(m instanceof Hashtable) && i % 3 == 0;
            switch (random.nextInt(16)) {
            case 0: case 1: case 2: m.put(key(), element(nulls)); break;
            case 3: m.remove(key()); break;
            case 4: m.putIfAbsent(key(), element(false)); break;
            case 5: m.computeIfAbsent(key(), k -> k.length() > 1 ? null : element(false)); break;
            case 6: m.computeIfPresent(key(), (k, v) -> random.nextBoolean() ? "present" : null); break;
            case 7: m.compute(key(), (k, v) -> v == null ? "computed" : null); break;
            case 8: m.merge(key(), "1", (a, b) -> random.nextBoolean() ? a + "+" + b : null); break;
            case 9: m.replace(key(), "replaced"); break;
            case 10: m.keySet().remove(key()); break;
            case 11: m.putAll(new LinkedHashMap<>(m)); m.get(key()); m.getOrDefault(key(), ""); break;
            case 12: if (random.nextInt(4) == 0) m.clear(); break;
            case 13:
                for (Iterator<Map.Entry<String, Object>> it = m.entrySet().iterator(); it.hasNext();)
                    if (it.next().getKey().length() > 1)
                        it.remove();
                break;
            case 14:
                for (Map.Entry<String, Object> e : m.entrySet())
                    if (e.getKey().equals("a"))
                        e.setValue("set");
                break;
            default: m.containsKey("a"); m.size(); m.entrySet().size();
            }
            check(m);
        }
        m.clear();
        m.put("a", 1);
        m.put("bb", 2);
        for (Map.Entry<String, Object> e : m.entrySet())
            if (e.getKey().equals("a"))
                e.setValue("in its place");
        check(m);
        Map<String, Object> copy = new LinkedHashMap<>();
        copy.put("first", 1);
        copy.putAll(new TreeMap<>(m));
        check(copy);
    }

    static void sets(Set<Object> s, int steps, boolean texts) {
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(8)) {
            case 0: case 1: case 2: s.add(texts ? key() : element(true)); break;
            case 3: s.remove(texts ? key() : element(true)); break;
            case 4: s.addAll(List.of("a", "bb", "new")); break;
            case 5: s.retainAll(new HashSet<>(List.of("a", "bb", "c", "dd", 1, 2))); break;
            case 6: s.removeIf(x -> x == null || x.hashCode() % 3 == 0); break;
            default:
                for (Iterator<Object> it = s.iterator(); it.hasNext();)
                    if ("new".equals(it.next()))
                        it.remove();
            }
            check(s);
        }
    }

    static void queues(int steps) {
        PriorityQueue<Integer> q = new PriorityQueue<>(Comparator.reverseOrder());
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(4)) {
            case 0: case 1: q.add(random.nextInt(300)); break;
            case 2: q.poll(); break;
            default: q.remove(random.nextInt(300));
            }
            check(q);
        }
    }

    static void texts(int steps) {
        StringBuilder b = new StringBuilder("begin");
        for (int i = 0; i < steps; i++) {
            int n = b.length();
            switch (random.nextInt(16)) {
            case 0: b.append('x').append("yz").append(random.nextInt()); break;
            case 1: b.append(true).append(-5_000_000_000L).append((Object) null); break;
            case 2: b.append(new StringBuilder("inner").reverse()); break;
            case 3: b.append("0123456789", 2, 5); break;
            case 4: b.insert(n / 2, "in").insert(0, 7); break;
            case 5: b.appendCodePoint(0x1F600).append(words[random.nextInt(words.length)]); break;
            case 6: b.reverse(); break;
            case 7: if (n > 0) b.deleteCharAt(random.nextInt(n)); break;
            case 8: b.delete(n / 3, n / 2); break;
            case 9: b.replace(n / 2, n + 5, "R"); break;
            case 10: b.setLength(random.nextBoolean() ? n / 2 : n + 2); break; // longer: by NUL
            case 11: if (n > 0) b.setCharAt(n - 1, '\u4e2d'); break;
            case 12: b.append((Integer) random.nextInt(1000)); break;
            case 13: b.append(1.5).toString(); break;
            case 14: b.append(element(false) instanceof String ? "s" : "o"); break;
            default: if (random.nextInt(4) == 0) b.setLength(0);
            }
            check(b, new String(b)); // which is no call of toString
        }
        b.setLength(0);
        b.setLength(2);
        b.append("behind NULs");
        check(b, new String(b));
    }

    static void values(int steps) {
        AtomicInteger a = new AtomicInteger(Integer.MAX_VALUE - 2);
        AtomicLong l = new AtomicLong();
        AtomicReference<Object> r = new AtomicReference<>();
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(9)) {
            case 0: a.incrementAndGet(); break;
            case 1: a.getAndIncrement(); break;
            case 2: a.getAndAdd(-7); break;
            case 3: a.compareAndSet(a.get(), 9); a.compareAndSet(10000, 8); break;
            case 4: a.getAndDecrement(); l.addAndGet(5_000_000_000L); break;
            case 5: l.getAndIncrement(); l.accumulateAndGet(3, Long::sum); break;
            case 6: r.set(words[random.nextInt(3)]); break;
            case 7: r.getAndSet(null); break;
            default: r.updateAndGet(x -> "updated");
            }
            check(a);
            check(l);
            check(r);
            check(random.nextBoolean() ? Optional.of("there") : Optional.empty());
            check(OptionalInt.of(i));
            check(Integer.valueOf(i * 100));
            check((char) ('a' + i % 26));
        }
    }

    // What is changed where nothing is recorded must not be claimed to be known.
    static void unseen() {
        List<String> bound = new ArrayList<>(List.of("b"));
        List.of("c", "d").forEach(bound::add);
        check(bound, "not known");
        List<String> sorted = new ArrayList<>(List.of("z", "a"));
        sorted.sort(Comparator.naturalOrder());
        check(sorted, "not known");
        sorted.clear();
        sorted.add("again");
        check(sorted);
        List<String> shuffled = new LinkedList<>(List.of("1", "2", "3"));
        Collections.shuffle(shuffled);
        check(shuffled, "not known");
        List<Integer> part = new ArrayList<>(List.of(1, 2, 3));
        part.subList(0, 2).clear();
        check(part, "not known");
        known(new HashMap<>(Map.of("x", 1)), "{x=1}");
        known(Map.of("x", 1, "y", 2, "z", 3).size() == 3 ? Map.copyOf(new TreeMap<>(Map.of("k", 7))) : null, "{k=7}");
        known(Set.of("only"), "[only]");
        known(new TreeSet<>(Set.copyOf(List.of(3, 1, 2))), "[1, 2, 3]");
        Map<String, Integer> replaced = new HashMap<>();
        replaced.put("k", 1);
        replaced.replaceAll((k, v) -> v + 1);
        check(replaced, "not known");
        unfollowed();
        Unseen.all();
    }

    static class Own extends ArrayList<String> { }

    // Classes whose calls do not say what they hold.
    static void unfollowed() {
        BitSet bits = new BitSet();
        bits.set(3);
        check(bits, "not known");
        Map<Suit, Integer> suits = new EnumMap<>(Suit.class);
        suits.put(Suit.SPADE, 1);
        check(suits, "not known");
        Map<String, Integer> newest = new LinkedHashMap<>() {
            protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) { return size() > 1; }
        };
        newest.put("a", 1);
        newest.put("b", 2);
        check(newest, "not known");
        List<String> own = new Own();
        own.add("x");
        check(own, "not known");
    }

    static void many(int calls) {
        AtomicInteger counter = new AtomicInteger();
        for (int i = 1; i < calls; i++)
            counter.incrementAndGet();
        check(counter, "not known");
    }

    public static void main(String[] args) {
        if (args[0].equals("many")) {
            many(Integer.parseInt(args[1]));
            return;
        }
        random = new Random(Long.parseLong(args[0]));
        int steps = Integer.parseInt(args[1]);
        lists(new ArrayList<>(), steps);
        lists(new LinkedList<>(), steps);
        lists(new Vector<>(List.of("v")), steps);
        deques(new ArrayDeque<>(), steps);
        deques(new LinkedList<>(), steps);
        maps(new HashMap<>(), steps);
        maps(new LinkedHashMap<>(), steps);
        maps(new LinkedHashMap<>(16, 0.75f, true), steps);
        maps(new TreeMap<>(), steps);
        maps(new TreeMap<>(Comparator.reverseOrder()), steps);
        sets(new HashSet<>(), steps, false);
        sets(new LinkedHashSet<>(), steps, false);
        sets(new TreeSet<>(), steps, true);
        queues(steps);
        texts(steps * 2);
        values(steps);
        unseen();
        made();
        deep();
    }
}
