/**
 * Numbers come back exactly: 64-bit integers, -0.0, infinities, NaN, subnormals; NaN payloads survive in the program.
 */
// agent: weave=EXEC+PARAM
// expect: METHOD_PARAM FloatBits.f(F)F * value -0.0
// expect: METHOD_PARAM FloatBits.f(F)F * value "Infinity"
// expect: METHOD_PARAM FloatBits.f(F)F * value "-Infinity"
// expect: METHOD_PARAM FloatBits.f(F)F * value "NaN"
// expect: METHOD_PARAM FloatBits.d(D)D * value -0.0
// expect: METHOD_PARAM FloatBits.d(D)D * value 5e-324
// expect: METHOD_PARAM FloatBits.d(D)D * value 1.7976931348623157e+308
// expect: METHOD_PARAM FloatBits.d(D)D * value 0.1
// expect: METHOD_PARAM FloatBits.d(D)D * value "NaN"
// expect: METHOD_PARAM FloatBits.j(J)J * value -9223372036854775808
// expect: METHOD_PARAM FloatBits.j(J)J * value 9007199254740993
// agent: weave=ALL
public class FloatBits {
    static float f(float x) { return x; }
    static double d(double x) { return x; }
    static long j(long x) { return x; }
    public static void main(String[] args) {
        for (float x : new float[] {-0.0f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY,
            Float.intBitsToFloat(0x7fc12345), Float.MIN_VALUE, 16777217f})
            System.out.println(Integer.toHexString(Float.floatToRawIntBits(f(x))));
        for (double x :
            new double[] {-0.0, Double.MIN_VALUE, Double.MAX_VALUE, 0.1, Double.longBitsToDouble(0x7ff8dead0000beefL)})
            System.out.println(Long.toHexString(Double.doubleToRawLongBits(d(x))));
        for (long x : new long[] {Long.MIN_VALUE, 9007199254740993L, -1}) System.out.println(j(x));
        float[] fa = {-0.0f}; double[] da = {Double.longBitsToDouble(0xfff8000000000001L)};
        fa[0] = f(fa[0]); da[0] = d(da[0]);
        System.out.println(Float.floatToRawIntBits(fa[0]) + " " + Double.doubleToRawLongBits(da[0]));
    }
}
