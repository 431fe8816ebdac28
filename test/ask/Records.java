// record: weave=EXEC+CALL+PARAM
import java.util.List;

/** Records whose components no write shows: what their constructors store of their parameters. It prints what is
 * known of each. */
public class Records {
    record Point(int x, long y, double z, String name) {}
    record Line(Point from, Point to, List<Integer> weights) {}
    record Checked(String name, boolean z, byte b) {
        Checked {
            if (name.isEmpty())
                throw new IllegalArgumentException();
        }
        Checked(String name) { this(name.trim(), true, (byte) -3); }
    }
    record Trimmed(int n, String name) {
        Trimmed {
            name = name.trim();
        }
    }
    record Turned(int left, int right) {
        Turned(int left, int right) {
            this.left = right;
            this.right = left;
        }
    }
    record Doubled(int n, char c) {
        Doubled(int n, char c) {
            this.n = 2 * n;
            this.c = c;
        }
    }
    record Chosen(int n) {
        Chosen(int n) {
            if (n > 2)
                this.n = n;
            else
                this.n = 0;
        }
    }
    record Pair<A, B>(A left, B right) {}

    static void see(Object o) {}

    static void say(Object o, Object known) {
        see(o);
        System.out.println(known);
    }

    public static void main(String[] args) {
        Point p = new Point(1, 1L << 40, 0.5, "p"), q = new Point(-1, 2, 3, null);
        say(p, p);
        say(new Line(p, q, List.of(3, 1)), new Line(p, q, List.of(3, 1)));
        say(new Checked(" a "), "Checked[name=a, z=true, b=-3]");
        say(new Trimmed(4, " b "), "Trimmed[n=4, name=?]"); // another text was stored
        say(new Turned(5, 6), "Turned[left=6, right=5]");
        say(new Doubled(7, 'c'), "Doubled[n=?, c=c]");
        say(new Chosen(8), null); // nothing is known
        say(new Pair<>(9, "d"), "Pair[left=9, right=d]");
    }
}
