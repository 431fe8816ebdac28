/** The program of debugger.sh, which Stops.java stops, looks at and changes. */
public class Debugged {
    private static int total;
    private final String name;
    private int count;

    Debugged(String name) { this.name = name; }

    static int sum(int[] of, long weight) {
        int result = 0;
        for (int i = 0; i < of.length; i++) {
            int one = of[i];
            if (one % 2 == 0) {
                result += one;
            } else {
                String text = "odd " + one;
                result += text.length();
            }
        }
        Debugged d = new Debugged("d" + result);
        result += d.named(2.5);
        return result + (int) weight;
    }

    int named(double half) {
        count++;
        Object o = name;
        return (int) (count * half) + o.hashCode();
    }

    static int scale(int value, int by) {
        int scaled = value * by;
        total += scaled;
        return scaled;
    }

    static int caught(int n) {
        try {
            if (n > 0) throw new IllegalStateException("n is " + n);
            return 0;
        } catch (IllegalStateException e) {
            int length = e.getMessage().length();
            return length;
        } finally {
            total--;
        }
    }

    static int last(int n) {
        int twice = 2 * n;
        return twice + total;
    }

    public static void main(String[] args) {
        System.out.println(new IllegalStateException("none").getMessage());
        System.out.println(sum(new int[] { 3, 4, 5 }, 1L << 33));
        int scaled = scale(5, 3);
        System.out.println("scaled " + scaled);
        System.out.println(scale(2, 2) + " " + total);
        System.out.println(caught(3));
        System.out.println(scale(total, 2));
        System.out.println(last(4));
    }
}
