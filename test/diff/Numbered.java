import java.util.ArrayList;
import java.util.List;

/** Private methods, lambdas, inner classes without names and a variable of a compiler, which have numbers. */
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
        return total;
    }

    public static void main(String[] args) { System.out.println(new Numbered().run(args)); }
}
