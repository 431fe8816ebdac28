import java.util.ArrayList;
import java.util.List;

/**
 * Private methods, lambdas, inner classes without names and a variable of a compiler, which have numbers; and what a
 * compiler writes by itself: accessors, constructors of nested classes, the table of a switch, null checks, texts.
 */
public class Numbered {
    // first of all
    private final List<Object> seen = new ArrayList<>();
    private int total;

    private int twice(int x) { return 2 * x; }

    private static int plus(int a, int b) { return a + b; }

    interface Part {
        int of(int x);
    }

    private void note(Object part) { seen.add(part); }

    enum Kind { SMALL, LARGE }

    private String name = "n";

    private Numbered() { }

    class Counter {
        private int own = 3;

        private Counter() { }

        void count(Kind kind) {
            switch (kind) {
                case SMALL: total += 2; break;
                default: total++;
            }
            name = name + "x" + own;
            own = twice(own);
            seen.add("counted");
        }
    }

    int run(String[] args) {
        int x$5 = twice(21);
        Part one = x -> plus(x, x$5), two = x -> x * x$5;
        Part inner = new Part() {
            @Override
            public int of(int x) { return one.of(x) + 1; }
        };
        Part other = new Part() {
            @Override
            public int of(int x) { return two.of(x) + 2; }
        };
        note(args.length == 0 ? inner : other);
        total = plus(inner.of(3), other.of(4));
        Counter counter = this.new Counter();
        for (Kind kind : Kind.values()) counter.count(kind);
        counter.own -= 2;
        note("" + counter.own + name);
        return total;
    }

    public static void main(String[] args) { System.out.println(new Numbered().run(args)); }
}
