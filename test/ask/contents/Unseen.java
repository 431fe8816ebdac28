import java.util.*;
import java.util.stream.*;

// Changes of collections that no call on the collection itself shows: through views, entries in other hands, references
// to methods, the array behind a list. What is said to be known of them must be right.
class Unseen {
    static List<String> letters() {
        List<String> l = new ArrayList<>();
        for (String s : new String[] { "a", "b", "c", "d", "e" })
            l.add(s);
        return l;
    }
    static Map<String, String> numbers(Map<String, String> m) {
        m.put("a", "1");
        m.put("b", "2");
        m.put("c", "3");
        return m;
    }
    static Map<String, String> numbers() { return numbers(new LinkedHashMap<>()); }
    static TreeSet<String> anyCase() {
        TreeSet<String> s = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        s.add("a");
        s.add("b");
        s.add("c");
        return s;
    }

    // What is known stays known.
    static void known(Object held) {
        Contents.known(held, String.valueOf(held));
    }

    // Static methods that change a view: the places are those of the view.
    static void parts() {
        List<String> l = letters();
        Collections.swap(l.subList(2, 5), 0, 1);
        Contents.check(l);
        l = letters();
        Collections.reverse(l.subList(1, 3));
        Contents.check(l);
        l = letters();
        Collections.addAll(l.subList(0, 1), "x", "y");
        Contents.check(l);
        l = letters();
        Collections.swap(l, 0, 1);
        Collections.reverse(l);
        known(l);
    }

    // An entry of the map that came out of something that was given its entry set.
    static void entries() {
        Map<String, String> m = numbers();
        new ArrayList<>(m.entrySet()).get(0).setValue("copied");
        Contents.check(m);
        m = numbers();
        for (Map.Entry<String, String> e : new ArrayList<>(m.entrySet()))
            e.setValue("copied");
        Contents.check(m);
        m = numbers();
        Collections.max(m.entrySet(), Map.Entry.comparingByValue()).setValue("greatest");
        Contents.check(m);
        m = numbers();
        PriorityQueue<Map.Entry<String, String>> q = new PriorityQueue<>(Map.Entry.comparingByValue());
        q.addAll(m.entrySet());
        q.poll().setValue("polled");
        Contents.check(m);
        m = numbers();
        new ArrayDeque<>(m.entrySet()).pop().setValue("popped");
        Contents.check(m);
        m = numbers();
        for (Map.Entry<String, String> e : Collections.unmodifiableCollection(m.entrySet()))
            e.setValue("wrapped");
        Contents.check(m);
        m = numbers();
        List<Map.Entry<String, String>> kept = new ArrayList<>();
        m.entrySet().forEach(kept::add);
        for (Map.Entry<String, String> e : kept)
            e.setValue("kept");
        Contents.check(m);
        m = numbers();
        List<Map.Entry<String, String>> rest = new ArrayList<>();
        m.entrySet().iterator().forEachRemaining(rest::add);
        rest.get(1).setValue("rest");
        Contents.check(m);
        m = numbers();
        for (Map.Entry<String, String> e : m.entrySet().stream().collect(Collectors.toList()))
            e.setValue("collected");
        Contents.check(m);
        m = numbers();
        m.entrySet().removeIf(e -> e.setValue("asked").isEmpty());
        Contents.check(m);
        Map<String, String> other = numbers(); // its entries are not those of a map that gave its own away
        Map<String, String> given = numbers();
        new ArrayList<>(given.entrySet()).size();
        for (Map.Entry<String, String> e : other.entrySet())
            if (e.getKey().equals("b"))
                e.setValue("other");
        known(other);
        known(given);
    }

    // References to methods of views and iterators, which are called where nothing is recorded, now or later.
    static void references() {
        Map<String, String> m = numbers();
        List.of("a", "b").forEach(m.keySet()::remove);
        Contents.check(m);
        m = numbers();
        List.of("1").forEach(m.values()::remove);
        Contents.check(m);
        List<String> l = letters();
        Iterator<String> it = l.iterator();
        it.next();
        Runnable remove = it::remove;
        remove.run();
        Contents.check(l);
        l = letters();
        Runnable clear = l.subList(0, 2)::clear;
        clear.run();
        Contents.check(l);
        l = letters();
        Runnable later = l::clear;
        l.clear();
        l.add("x");
        later.run();
        Contents.check(l);
    }

    // What was made of it keeps it.
    static void kept() {
        List<String> l = letters();
        List<String> locked = Collections.synchronizedList(l);
        l.clear();
        l.add("p");
        locked.add("q");
        Contents.check(l);
        java.util.concurrent.ConcurrentHashMap<String, String> m = new java.util.concurrent.ConcurrentHashMap<>();
        Set<String> keys = m.keySet("default");
        m.clear();
        m.put("p", "1");
        keys.add("q");
        Contents.check(m);
        StringBuilder b = new StringBuilder();
        Formatter f = new Formatter(b);
        b.setLength(0);
        b.append("x");
        f.format("%d", 5);
        Contents.check(b, new String(b));
        b = new StringBuilder("abcbc");
        b.insert(2, b);
        Contents.check(b, new String(b));
        b = new StringBuilder("abc");
        b.append(b).insert(1, new StringBuilder("def"));
        Contents.known(b, new String(b));
    }

    static void backed() {
        List<String> l = Arrays.asList("a", "b", "c");
        Collections.reverse(l);
        Contents.check(l);
        l = Arrays.asList("a", "b", "c");
        Collections.swap(l, 0, 2);
        Contents.check(l);
        String[] array = { "a", "b", "c" };
        l = Arrays.asList(array);
        array[0] = "z";
        known(l);
        known(new ArrayList<>(l));
        Set<String> s = new LinkedHashSet<>();
        s.addAll(l);
        known(s);
        Arrays.sort(array);
        Contents.check(l);
        Contents.check(new ArrayList<>(l));
    }

    // Orders that are not that of the elements.
    static void orders() {
        TreeSet<String> s = anyCase();
        s.removeAll(List.of("A"));
        Contents.check(s);
        s = anyCase();
        s.retainAll(List.of("A", "b"));
        Contents.check(s);
        @SuppressWarnings("unchecked") TreeSet<String> copy = (TreeSet<String>) anyCase().clone();
        copy.addAll(List.of("A", "d"));
        Contents.check(copy);
        s = new TreeSet<>((SortedSet<String>) anyCase());
        s.clear();
        s.add("a");
        s.addAll(List.of("A"));
        Contents.check(s);
        TreeMap<String, String> backward = new TreeMap<>(Comparator.reverseOrder());
        numbers(backward);
        @SuppressWarnings("unchecked") TreeMap<String, String> clone = (TreeMap<String, String>) backward.clone();
        known(clone);
        LinkedHashMap<String, String> recent = new LinkedHashMap<>(8, 0.75f, true);
        numbers(recent);
        recent.get("a");
        known(recent);
        @SuppressWarnings("unchecked")
        LinkedHashMap<String, String> asRecent = (LinkedHashMap<String, String>) recent.clone();
        asRecent.get("b");
        known(asRecent);
        numbers(new HashMap<>()).equals(recent);
        Contents.check(recent);
        recent.clear();
        known(numbers(recent));
        List<Map<String, String>> maps = new ArrayList<>();
        maps.add(recent);
        maps.contains(numbers(new HashMap<>()));
        Contents.check(recent);
        TreeSet<String> natural = new TreeSet<>(letters());
        natural.removeAll(List.of("a", "x"));
        known(natural);
        @SuppressWarnings("unchecked") TreeSet<String> same = (TreeSet<String>) natural.clone();
        same.add("A");
        known(same);
    }

    // References to methods without an object reach what is in other collections.
    static void unbound() {
        List<List<String>> outer = new ArrayList<>();
        List<String> inner = letters(), apart = letters();
        Set<String> set = new LinkedHashSet<>(letters());
        List<Set<String>> sets = new ArrayList<>();
        outer.add(inner);
        sets.add(set);
        outer.forEach(List::size);
        known(inner);
        outer.forEach(List::clear);
        Contents.check(inner);
        known(apart);
        known(set);
        inner.clear();
        inner.add("a");
        inner.add("b");
        known(inner);
        outer.forEach(Collections::reverse);
        Contents.check(inner);
        List<Deque<String>> queues = new ArrayList<>();
        Deque<String> queue = new ArrayDeque<>(letters());
        queues.add(queue);
        queues.stream().map(Deque::poll).collect(Collectors.toList());
        Contents.check(queue);
        Stream<String> later = queues.stream().map(Deque::poll);
        queue.clear();
        queue.add("x");
        later.forEach(s -> { });
        Contents.check(queue);
        Map<String, Set<String>> values = new HashMap<>();
        values.put("k", set);
        values.values().forEach(Set::clear);
        Contents.check(set);
        List<String> stored = letters();
        Arrays.asList(stored, letters()).forEach(List::clear);
        Contents.check(stored);
        Optional<List<String>> single = Optional.of(letters());
        single.ifPresent(List::clear);
        Contents.check(single.get());
        List<String> cut = letters();
        Optional.of(cut.subList(0, 2)).ifPresent(List::clear);
        Contents.check(cut);
        List<String> own = letters();
        List<List<String>> owner = new ArrayList<>();
        owner.add(own);
        owner.forEach(l -> l.add("by a lambda"));
        List<String> bound = new ArrayList<>();
        own.forEach(bound::add);
        known(own);
    }

    static void all() {
        parts();
        entries();
        references();
        kept();
        backed();
        orders();
        unbound();
    }
}
