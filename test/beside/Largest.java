/** Largest LENGTH: stores to and loads from the ends and the middle of an array of so many bytes, and behind it. */
public class Largest {
    static long touch(byte[] a) {
        int last = a.length - 1;
        a[0] = 1;
        a[last] = 2;
        a[last - 1] += 3;
        int sum = a[0] + 10 * a[last] + 100 * a[last - 1] + 1000 * a[last / 2];
        try {
            a[last + 1] = 4;
        } catch (ArrayIndexOutOfBoundsException e) {
            sum += 10000;
        }
        return sum * 1_000_000_000_000L + last;
    }

    public static void main(String[] args) {
        System.out.println(touch(new byte[Integer.parseInt(args[0])]));
    }
}
