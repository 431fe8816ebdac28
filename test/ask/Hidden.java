import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;

/**
 * Fields that subclasses hide, inherit and share; classes that are not woven above woven ones; values written where no
 * event shows it.
 */
public class Hidden {
    interface Limits { int LOW = Integer.parseInt("3"); }
    static class Base implements Limits {
        int state;
        String name = "base";
        static int count;
        void set(int s) { state = s; }
    }
    static class Mid extends Base {
        int state;
        String name = "mid";
        void setMid(int s) { state = s; }
    }
    static class Leaf extends Mid {
        long name = 7;
        void setAll(int s) {
            state = s;
            ((Base) this).state = s + 1;
            super.name = "m" + s;
            ((Base) this).name = "b" + s;
        }
    }
    static class Plain extends Base { }

    /** modCount is declared by AbstractList, two classes up. */
    static class Bag extends AbstractList<String> {
        String only = "a";
        public String get(int i) { return only; }
        public int size() { return 1; }
        void touch() { modCount += 5; }
    }
    /** A putstatic of Main makes the class ready: what that writes comes behind its event. */
    static class Lazy {
        static int level = 1;
        static int other = level + 1;
    }
    static class Broken {
        static int level = fail();
        static int fail() { throw new IllegalStateException("never ready"); }
    }

    static void arrays() {
        int[] from = { 1, 2, 3 };
        int[] to = { 7, 8, 9 };
        System.arraycopy(from, 0, to, 0, 2);
        int first = to[0];
        String[] words = { "x" };
        Object[] objects = words;
        try { objects[0] = 5; } catch (ArrayStoreException e) { first++; }
        try { store(to); } catch (ArrayIndexOutOfBoundsException e) { first++; }
        int[] copy = new int[2];
        System.arraycopy(to, 0, copy, 0, 2);
        int[][] grid = new int[2][2];
        int[] row = grid[1];
        Arrays.fill(row, 4);
        grid[0] = to;
        System.out.println(first + words[0] + row[1]);
    }
    /** What is final was written for good, whoever has the object. */
    static class Tag {
        final int id;
        int uses;
        Tag(int id) {
            this.id = id;
            uses = System.identityHashCode(this) == 0 ? 1 : 2;
        }
    }
    static int tags() {
        Tag tag = new Tag(31);
        return Objects.hashCode(tag);
    }
    static void store(int[] a) { a[a.length] = 77; }

    public static void main(String[] args) {
        Leaf leaf = new Leaf();
        leaf.set(1);
        int r = ((Base) leaf).state;
        leaf.set(99);
        leaf.setMid(50);
        Plain plain = new Plain();
        plain.set(8);
        leaf.setAll(60);
        Plain.count = 4;
        Leaf.count += 2;
        Bag bag = new Bag();
        bag.touch();
        bag.only = "b";
        Lazy.level = 5;
        int lazy = Lazy.level + Plain.LOW;
        try { Broken.level = 6; } catch (ExceptionInInitializerError e) { lazy++; }
        arrays();
        lazy += tags();
        System.out.println(r + lazy + bag.get(0) + leaf.name);
    }
}
