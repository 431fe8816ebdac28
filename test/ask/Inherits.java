/** A field that is written through the class that declares it, and through classes that inherit it. */
public class Inherits {
    static class Base { int x; void set(int v) { x = v; } }
    static class Mid extends Base { }
    static class Sub extends Mid { void mine(int v) { x = v; } int get() { return x; } }
    static class Quiet extends Mid { }
    interface Rates { String BANK = "bank".trim(); }
    interface More extends Rates { }
    static class Shop extends Base implements More { }
    static class Branch extends Shop { }
    static class Books extends java.util.AbstractList<Integer> {
        public Integer get(int i) { return i; }
        public int size() { return 0; }
        void turn() { modCount = 8; }
    }
    static class Hiding extends Base { int x; void both(int v) { x = v; super.x = v + 1; } }

    public static void main(String[] args) {
        Sub s = new Sub();
        s.set(1);
        s.mine(2);
        s.x = 3;
        ((Base) s).x = 4;
        new Quiet().set(5);
        new Hiding().both(6);
        System.out.println(s.get() + Branch.BANK);
        new Books().turn();
    }
}
