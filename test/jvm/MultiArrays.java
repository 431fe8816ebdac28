import java.util.Arrays;

/**
 * Arrays of arrays: dimensions left open, zero and negative sizes, every element type, covariance; never an exception
 * of ours.
 */
// agent: weave=ARRAY
// expect: MULTI_NEW_ARRAY MultiArrays.main(* value #*:int[][][]
// next: MULTI_NEW_ARRAY_OWNER * value #*:int[][][]
// next: MULTI_NEW_ARRAY_ELEMENT * value #*:int[][]
// next: MULTI_NEW_ARRAY_ELEMENT * value #*:int[][]
// next: MULTI_NEW_ARRAY_OWNER * value #*:int[][]
// agent: weave=ALL
public class MultiArrays {
    static Object make(int a, int b) { return new long[a][b][]; }
    public static void main(String[] args) {
        int[][][] open = new int[2][3][];
        System.out.println(Arrays.deepToString(open));
        System.out.println(Arrays.deepToString(new String[3][0]) + Arrays.deepToString(new boolean[1][2][2])
            + Arrays.deepToString(new char[0][5]));
        for (int[] s : new int[][] {{-1, 2}, {2, -1}, {0, -3}, {0, 0}}) {
            try {
                System.out.println(((Object[]) make(s[0], s[1])).length);
            } catch (NegativeArraySizeException e) {
                System.out.println(e);
            }
        }
        Object[] covariant = new Integer[2];
        try { covariant[0] = "no"; } catch (ArrayStoreException e) { System.out.println(e); }
        try { open[1][2][0] = 1; } catch (NullPointerException e) { System.out.println("null element"); }
        try { open[2] = null; } catch (ArrayIndexOutOfBoundsException e) { System.out.println(e); }
        boolean[] z = {true, false};
        byte[] b = {-1, 2};
        char[] c = {'x', '\uffff'};
        short[] s = {-300};
        long[] j = {Long.MIN_VALUE};
        float[] f = {-0f};
        double[] d = {Double.NaN};
        z[1] |= z[0]; b[0] += 5; c[1]++; s[0] <<= 2; j[0]--; f[0] *= 2; d[0] += 1;
        System.out.println(Arrays.toString(z) + Arrays.toString(b) + (int) c[1] + Arrays.toString(s)
            + Arrays.toString(j) + Arrays.toString(f) + Arrays.toString(d) + z.length);
        try {
            int[] n = null;
            System.out.println(n.length);
        } catch (NullPointerException e) { System.out.println("null length"); }
        try { System.out.println(new int[-5].length); } catch (NegativeArraySizeException e) { System.out.println(e); }
    }
}
