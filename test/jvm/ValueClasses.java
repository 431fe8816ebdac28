// java: 28
// javac: -g --release 28 --enable-preview
// jvm: --enable-preview
// agent: weave=ALL
// agent: weave=ALL,derive=off
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_ENTRY ValueClasses.main
// expect: METHOD_ENTRY ValueClasses$Clamped.<init>(I)V
// expect: METHOD_NORMAL_EXIT ValueClasses$Clamped.<init>(I)V
// expect: METHOD_EXCEPTIONAL_EXIT ValueClasses$Clamped.<init>(I)V
// expect: METHOD_PARAM ValueClasses.hash(Ljava/lang/Object;)I * value *:ValueClasses$Point

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Value classes: their objects have no identity, so no id stands in a header, and equal ones are one object. Their
 * constructors set all fields before super(), some in branches, which frames tell the verifier.
 */
public class ValueClasses {
    value record Point(int x, int y) {
        Point add(Point o) { return new Point(x + o.x, y + o.y); }
    }

    static abstract value class Base {
        int base;
        Base(int base) { this.base = base; super(); }
    }

    static value class Twice extends Base {
        int v;
        Twice(int v) { this.v = v; super(v + 1); }
        int sum() { return v + base; }
    }

    static value class Clamped {
        int v;
        String name;
        Clamped(int n) {
            if (n > 100)
                throw new IllegalArgumentException("too much: " + n);
            if (n > 10) {
                v = 10;
                name = "high";
            } else {
                v = n;
                name = n < 0 ? "low" : "right";
            }
            super();
        }
    }

    static class Holder {
        final Point first;
        final Point[] many = new Point[3];
        Holder(Point p) { first = p; many[1] = p; }
    }

    static boolean same(Object a, Object b) { return a == b; }

    static int hash(Object o) { return System.identityHashCode(o); }

    public static void main(String[] args) {
        for (int n : new int[] { -1, 5, 50 }) {
            Clamped c = new Clamped(n);
            System.out.println(c.v + " " + c.name);
        }
        try {
            new Clamped(1000);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < 4; i++)
            points.add(new Point(i, i * i));
        Point sum = new Point(0, 0);
        for (Point p : points)
            sum = sum.add(p);
        System.out.println(sum + " " + new Twice(4).sum());
        System.out.println(same(new Point(1, 2), new Point(1, 2)) + " " + same(new Point(1, 2), sum));
        System.out.println(hash(new Point(1, 2)) == hash(new Point(1, 2)));
        Holder h = new Holder(new Point(5, 6));
        h.many[2] = new Point(5, 6);
        System.out.println(same(h.many[1], h.many[2]) + " " + (hash(h.first) == hash(h.many[2])));
        Map<Point, String> names = new HashMap<>();
        names.put(new Point(7, 7), "seven");
        System.out.println(names.get(new Point(7, 7)));
        Integer i = 1000, j = 1000;
        System.out.println(same(i, j) + " " + (hash(i) == hash(j)));
        Object locked = sum;
        try {
            synchronized (locked) {
                System.out.println("locked");
            }
        } catch (IdentityException e) {
            System.out.println("no monitor");
        }
    }
}
