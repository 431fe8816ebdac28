// Elements that collections do not contain: what was done to each collection is counted here as it is done, as
// "question\tsituation\tcondition that held\tcondition that is needed\tcalls", which why-not must answer of
// collection.contains(element) where ask is called with the name of the question.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class Members extends Reasons {
    static final class Order { // equal to nothing but itself
        final int total;

        Order(int total) {
            this.total = total;
        }
    }

    static final class Key {
        String name;

        Key(String name) {
            this.name = name;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Key && ((Key) o).name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.length();
        }
    }

    static final class Half { // it has no hashCode
        final int n;

        Half(int n) {
            this.n = n;
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Half && ((Half) o).n == n;
        }
    }

    static boolean ask(String question, Object collection, Object element) {
        return question.isEmpty() || collection == element;
    }

    // never added: the branch before it turned off; others were added
    static void keep(String question, List<Order> list, Order o, Order wanted) {
        if (o.total > 3) {
            list.add(o);
            is(question, o == wanted ? "reached" : "other_element");
        } else {
            no(question, "o.total <= 3", "o.total > 3");
        }
    }

    static void never() {
        List<Order> list = new ArrayList<>();
        Order wanted = new Order(2);
        for (int i = 0; i < 7; i++) keep("never", list, i == 2 ? wanted : new Order(i), wanted);
        ask("never", list, wanted);
    }

    // added to another list by the same call, and by another one
    static void sort(List<Order> list, Order o, boolean mine, boolean wanted) {
        list.add(o);
        is("other", mine ? "other_element" : wanted ? "other_collection" : "other_object");
    }

    static void other() {
        List<Order> list = new ArrayList<>(), second = new ArrayList<>(), third = new ArrayList<>();
        Order wanted = new Order(9);
        for (int i = 0; i < 5; i++) sort(i < 2 ? list : second, i == 3 ? wanted : new Order(i), i < 2, i == 3);
        third.add(0, wanted);
        is("other", "other_collection");
        ask("other", list, wanted);
    }

    // added and removed by a call
    static void put(String question, List<Order> list, Order o, boolean wanted) {
        list.add(o);
        is(question, wanted ? "reached" : "other_element");
    }

    static void removed() {
        List<Order> list = new ArrayList<>();
        Order wanted = new Order(1);
        for (int i = 0; i < 3; i++) {
            put("removed", list, wanted, true);
            list.remove(wanted);
            is("removed", "removed");
        }
        ask("removed", list, wanted);
    }

    static void add2(List<Order> list, Order o, boolean wanted) {
        list.add(o);
        is("clear", wanted ? "reached" : "other_element");
    }

    static void clear() {
        List<Order> list = new ArrayList<>();
        Order wanted = new Order(1);
        add2(list, new Order(5), false);
        add2(list, wanted, true);
        list.clear();
        is("clear", "removed");
        add2(list, new Order(6), false);
        ask("clear", list, wanted);
    }

    static void add3(List<String> list, String s, boolean wanted) {
        list.add(s);
        is("iterator", wanted ? "reached" : "other_element");
    }

    static void iterator() {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < 4; i++) add3(list, "s" + i, i == 2);
        for (Iterator<String> i = list.iterator(); i.hasNext();) {
            if (i.next().equals("s2")) {
                i.remove();
                is("iterator", "removed");
            }
        }
        ask("iterator", list, "s2");
    }

    static void add4(List<Order> list, Order o, boolean wanted) {
        list.add(o);
        is("removeIf", wanted ? "reached" : "other_element");
    }

    static void removeIf() {
        List<Order> list = new ArrayList<>();
        Order wanted = new Order(8);
        for (int i = 0; i < 4; i++) add4(list, i == 1 ? wanted : new Order(i), i == 1);
        list.removeIf(o -> o.total > 7);
        is("removeIf", "removed");
        ask("removeIf", list, wanted);
    }

    static void add5(Set<Key> set, Key k) {
        set.add(k);
        is("hash", "reached");
    }

    static void hash() {
        Set<Key> set = new HashSet<>();
        Key wanted = new Key("a");
        add5(set, wanted);
        wanted.name = "abc";
        said.put("hash\thash_changed\t\t", 0);
        ask("hash", set, wanted);
    }

    // the same fields, and no equals
    static void add6(List<Order> list, Order o) {
        list.add(o);
        is("equals", "other_element");
    }

    static void equalsMissing() {
        List<Order> list = new ArrayList<>();
        for (int i = 0; i < 3; i++) add6(list, new Order(i + 10));
        said.put("equals\tnot_equal\t\t", 0);
        ask("equals", list, new Order(11));
    }

    static void add7(Set<Half> set, Half h) {
        set.add(h);
        is("hashCode", "other_element");
    }

    static void hashMissing() {
        Set<Half> set = new HashSet<>();
        for (int i = 0; i < 3; i++) add7(set, new Half(i));
        said.put("hashCode\tnot_equal\t\t", 0);
        ask("hashCode", set, new Half(1));
    }

    // keys of a map that differ by their case
    static void put8(Map<String, Integer> map, String key, int n) {
        if (n > 1) {
            map.put(key, n);
            is("key", "other_element");
        } else {
            no("key", "n <= 1", "n > 1");
        }
    }

    static void key() {
        Map<String, Integer> map = new HashMap<>();
        String[] names = { "a", "B", "c", "D" };
        for (int i = 0; i < names.length; i++) put8(map, names[i], i + 1);
        said.put("key\tnot_equal\t\t", 0);
        ask("key", map, "b");
    }

    static void add9(List<Integer> list, int n) {
        list.add(n);
        is("box", "other_element");
    }

    static void box() {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 3; i++) add9(list, 1000 + i);
        said.put("box\tnot_equal\t\t", 0);
        ask("box", list, 1001L);
    }

    // an exception comes before the add
    static void check(Order o) {
        if (o.total > 2) throw new IllegalArgumentException("more than 2");
    }

    static void checked(List<Order> list, Order o) {
        if (o.total > 2) is("exception", "exception");
        else is("exception", "other_element");
        check(o);
        list.add(o);
    }

    static void exception() {
        List<Order> list = new ArrayList<>();
        Order wanted = new Order(4);
        for (int i = 0; i < 5; i++) {
            try {
                checked(list, i == 4 ? wanted : new Order(i));
            } catch (IllegalArgumentException e) {
                e.getMessage();
            }
        }
        ask("exception", list, wanted);
    }

    // nothing calls what would add it
    static final List<Order> late = new ArrayList<>();

    static void addLate(Order o) {
        late.add(o);
    }

    static void uncalled() {
        said.put("uncalled\tnot_called\t\t", 0);
        said.put("uncalled\tno_caller\t\t", 0);
        ask("uncalled", late, new Order(1));
    }

    static void held() {
        List<String> list = new ArrayList<>();
        list.add("x");
        is("held", "reached");
        said.put("held\theld\t\t", 0);
        ask("held", list, "x");
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            never();
            removed();
            iterator();
            key();
        });
        other.start();
        other();
        clear();
        removeIf();
        hash();
        equalsMissing();
        hashMissing();
        box();
        exception();
        uncalled();
        held();
        other.join();
        print();
    }
}
