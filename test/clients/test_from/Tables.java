import java.util.Arrays;

/** Arrays of many numbers: rows of equal ones, of others, with holes; read by code not woven, or by the call. */
public class Tables {
    static final char[] LETTERS = new char[5000];
    static final boolean[] MARKS = new boolean[64];

    static int all(boolean[] z, byte[] b, short[] s, int[] i, long[] j, float[] f, double[] d) {
        return Arrays.hashCode(z) ^ Arrays.hashCode(b) ^ Arrays.hashCode(s) ^ Arrays.hashCode(i)
                ^ Arrays.hashCode(j) ^ Arrays.hashCode(f) ^ Arrays.hashCode(d);
    }
    static String letters(int from, int to) { return new String(LETTERS, from, to - from); }
    static char letter(int at, char[] of) { return of[at]; }
    static int marks() {
        int n = 0;
        for (boolean m : MARKS) n += m ? 1 : 0;
        return n;
    }
    static String[] copied(String[] words) { return words.clone(); }

    public static void main(String[] a) {
        int n = 300;
        boolean[] z = new boolean[n]; byte[] b = new byte[n]; short[] s = new short[n]; int[] i = new int[n];
        long[] j = new long[n]; float[] f = new float[n]; double[] d = new double[n];
        for (int k = 0; k < n; k++) {
            int v = k % 50 < 20 ? 7 : k % 50 < 30 ? 0 : k * 31 - 1000;
            z[k] = v > 0; b[k] = (byte) v; s[k] = (short) v; i[k] = v << 20; j[k] = (long) v << 40;
            f[k] = v / 3f; d[k] = v / 7.0;
        }
        f[3] = Float.NaN; f[40] = Float.NEGATIVE_INFINITY; d[41] = Double.POSITIVE_INFINITY; d[42] = Double.MIN_VALUE;
        j[43] = Long.MIN_VALUE;
        for (int k = 0; k < LETTERS.length; k++) LETTERS[k] = (char) (k < 200 ? k : k < 3000 ? '"' : 20000 + k);
        for (int k = 0; k < MARKS.length; k++) MARKS[k] = k % 17 != 0;
        System.out.println(all(z, b, s, i, j, f, d) + letters(0, 5000).hashCode() + letter(4000, LETTERS) + marks());
        System.out.println(letter(4500, LETTERS.clone()) + copied(new String[] {"a", null, "b"})[2]);
    }
}
