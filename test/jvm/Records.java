import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What newer compilers write: records (invokedynamic that returns int and boolean), sealed types, switches on
 * patterns' kin, text blocks.
 */
// agent: weave=ALL
// expect: INVOKE_DYNAMIC Records$Point.hashCode()I
// expect: INVOKE_DYNAMIC_RESULT Records$Point.hashCode()I
// agent: weave=CALL+PARAM
// expect: INVOKE_DYNAMIC_PARAM Records$Point.hashCode()I * value #*:Records$Point
// next: INVOKE_DYNAMIC_RESULT Records$Point.hashCode()I
public class Records {
    record Point(int x, long y, double z, String name) {
        static int made;
        Point { made++; if (x > 1000) throw new IllegalArgumentException("x " + x); }
        double length() { return Math.sqrt(x * (double) x + y * (double) y + z * z); }
    }
    record Wrapper<T extends Comparable<T>>(T value, List<? extends T> more) { }
    sealed interface Expr permits Num, Add, Neg { }
    record Num(int v) implements Expr { }
    record Add(Expr l, Expr r) implements Expr { }
    record Neg(Expr e) implements Expr { }
    static int eval(Expr e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Add a && a.l() != null) return eval(a.l()) + eval(a.r());
        return -eval(((Neg) e).e());
    }
    enum Day {
        MON, TUE, SUN;
        boolean weekend() {
            return switch (this) { case SUN -> true; case MON, TUE -> { boolean b = ordinal() > 5; yield b; } };
        }
    }
    static String text(Object o) {
        return switch (String.valueOf(o)) { case "a", "b" -> "first"; case "Aa", "BB" -> "same hash"; default -> """
            a block of "%s"
              indented\
            """.formatted(o); };
    }
    public static void main(String[] args) {
        Point p = new Point(3, 4, 0.5, "p"), q = new Point(3, 4, 0.5, "p");
        System.out.println(p + " " + p.equals(q) + " " + (p.hashCode() == q.hashCode()) + " " + p.equals(null) + " "
            + p.length() + Point.made);
        try { new Point(1001, 0, 0, null); } catch (IllegalArgumentException e) { System.out.println(e); }
        System.out.println(new Wrapper<>("x", List.of("y", "z")));
        System.out.println(eval(new Add(new Num(5), new Neg(new Add(new Num(1), new Num(2))))));
        for (Day d : Day.values()) System.out.println(d + " " + d.weekend());
        for (Object o : new Object[] {"a", "BB", 7, null}) System.out.println(text(o));
        var m = new TreeMap<String, Integer>(Map.of("k", 1, "j", 2));
        m.merge("k", 5, Integer::sum);
        System.out.println(m);
    }
}
