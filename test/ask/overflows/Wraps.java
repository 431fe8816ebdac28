import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

/**
 * Arithmetic of all kinds whose operands come from all places, with BigInteger and BigDecimal beside it: each time that
 * a result is not the exact one, a line "method op left right result", "-" for no left operand. The methods of this
 * class compute, `Beside` looks on and is not recorded.
 */
public class Wraps {
    static int shared;
    long wide;
    final int[] cells = new int[4];
    int narrow;

    static int add(int a, int b) { return a + b; }
    static int sub(int a, int b) { return a - b; }
    static int mul(int a, int b) { return a * b; }
    static int div(int a, int b) { return a / b; }
    static int neg(int a) { return -a; }
    static int inc(int a) { a += 100; return a; }
    static long addLong(long a, long b) { return a + b; }
    static long subLong(long a, long b) { return a - b; }
    static long mulLong(long a, long b) { return a * b; }
    static long divLong(long a, long b) { return a / b; }
    static long negLong(long a) { return -a; }
    static int toInt(long a) { return (int) a; }
    static int toByte(int a) { return (byte) a; }
    static int toChar(int a) { return (char) a; }
    static int toShort(int a) { return (short) a; }
    static float intToFloat(int a) { return a; }
    static float longToFloat(long a) { return a; }
    static double longToDouble(long a) { return a; }
    static int floatToInt(float a) { return (int) a; }
    static long floatToLong(float a) { return (long) a; }
    static int doubleToInt(double a) { return (int) a; }
    static long doubleToLong(double a) { return (long) a; }
    static float doubleToFloat(double a) { return (float) a; }

    /* operands from elsewhere than parameters; one operation each */
    static int fromStatic(int a, int b) { shared = a; return shared + b; }
    long fromField(long a, long b) { wide = a; return wide * b; }
    int fromElement(int a, int b) { cells[2] = a; return cells[2] - b; }
    static int fromCall(int a, int b) { return same(a) * same(b); }
    static int same(int a) { return a; }
    static int fromEither(int a, int b) { return (b % 2 == 0 ? a : 1) + b; }
    static int fromBits(int a, int b) { return (a & 0x7ffffff0) + (b | 3); }
    static boolean inBranch(int a, int b) { return a + b > 0; }
    static int inDivision(int a, int b) { return same(7 / (a * b)); }
    static int deep(int n, int a, int b) { return n == 0 ? 0 : deep(n - 1, a, b) | a * b; }
    int update(int a, int b) { narrow = a; narrow += b; return narrow; }
    static int thrown(int a, int b) {
        try {
            return Integer.parseInt("x") + a;
        } catch (NumberFormatException e) {
            return a - b;
        }
    }

    static final int[] INTS = { 0, 1, -1, 2, 100, -100, 127, 128, 32768, 65535, 65536, -65536, 16777217, 46341, 1 << 30,
        Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1 };
    static final long[] LONGS = { 0, 1, -1, 3, 1L << 31, -(1L << 31), (1L << 31) - 1, 1L << 32, 7L << 32,
        (1L << 53) + 1, -(1L << 53) - 1, 3037000500L, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1,
        Long.MIN_VALUE + 1 };
    static final double[] DOUBLES = { 0.0, -0.0, 1.5, -1.5, 2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0,
        -2147483648.9, 2147483647.9, 9.3e18, -9.3e18, 9223372036854775808.0, -9223372036854775808.0, 1e300, -1e300,
        3.4028235e38, 3.5e38, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY };

    static int anInt(Random r) { return r.nextInt(3) == 0 ? r.nextInt() : INTS[r.nextInt(INTS.length)]; }
    static long aLong(Random r) { return r.nextInt(3) == 0 ? r.nextLong() : LONGS[r.nextInt(LONGS.length)]; }

    static void ints(Beside o, Random r) {
        int a = anInt(r), b = anInt(r);
        o.two("add", "iadd", a, b, add(a, b));
        o.two("sub", "isub", a, b, sub(a, b));
        o.two("mul", "imul", a, b, mul(a, b));
        if (b != 0)
            o.two("div", "idiv", a, b, div(a, b));
        o.one("neg", "ineg", a, neg(a));
        o.two("inc", "iinc", a, 100, inc(a));
        o.two("fromStatic", "iadd", a, b, fromStatic(a, b));
        o.two("fromElement", "isub", a, b, new Wraps().fromElement(a, b));
        o.two("fromCall", "imul", a, b, fromCall(a, b));
        o.two("fromEither", "iadd", b % 2 == 0 ? a : 1, b, fromEither(a, b));
        o.two("fromBits", "iadd", a & 0x7ffffff0, b | 3, fromBits(a, b));
        o.two("inBranch", "iadd", a, b, inBranch(a, b) ? 1 : 0, true);
        try {
            o.two("inDivision", "imul", a, b, inDivision(a, b), true);
        } catch (ArithmeticException e) {
            o.two("inDivision", "imul", a, b, 0, true);
        }
        for (int i = 0, depth = r.nextInt(4), value = deep(depth, a, b); i < depth; i++)
            o.two("deep", "imul", a, b, value, true);
        o.two("update", "iadd", a, b, new Wraps().update(a, b));
        o.two("thrown", "isub", a, b, thrown(a, b));
        o.narrowed("toByte", "i2b", a, toByte(a));
        o.narrowed("toChar", "i2c", a, toChar(a));
        o.narrowed("toShort", "i2s", a, toShort(a));
        o.rounded("intToFloat", "i2f", a, intToFloat(a));
    }

    static void longs(Beside o, Random r) {
        long a = aLong(r), b = aLong(r);
        o.wide("addLong", "ladd", a, b, addLong(a, b));
        o.wide("subLong", "lsub", a, b, subLong(a, b));
        o.wide("mulLong", "lmul", a, b, mulLong(a, b));
        if (b != 0)
            o.wide("divLong", "ldiv", a, b, divLong(a, b));
        o.wide("negLong", "lneg", a, negLong(a));
        o.wide("fromField", "lmul", a, b, new Wraps().fromField(a, b));
        o.narrowed("toInt", "l2i", a, toInt(a));
        o.rounded("longToFloat", "l2f", a, longToFloat(a));
        o.rounded("longToDouble", "l2d", a, longToDouble(a));
    }

    static void reals(Beside o, Random r) {
        double a = r.nextInt(3) == 0 ? (r.nextDouble() - 0.5) * 1e20 : DOUBLES[r.nextInt(DOUBLES.length)];
        float f = o.single(a);
        o.saturated("floatToInt", "f2i", f, floatToInt(f), Integer.MIN_VALUE, Integer.MAX_VALUE);
        o.saturated("floatToLong", "f2l", f, floatToLong(f), Long.MIN_VALUE, Long.MAX_VALUE);
        o.saturated("doubleToInt", "d2i", a, doubleToInt(a), Integer.MIN_VALUE, Integer.MAX_VALUE);
        o.saturated("doubleToLong", "d2l", a, doubleToLong(a), Long.MIN_VALUE, Long.MAX_VALUE);
        if (Float.isInfinite(doubleToFloat(a)) && !Double.isInfinite(a))
            o.say("doubleToFloat d2f - " + a + " infinite");
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 40;
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            Random r = new Random(t + 7);
            Beside o = new Beside(System.out);
            threads[t] = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    ints(o, r);
                    longs(o, r);
                    reals(o, r);
                }
            });
            threads[t].start();
        }
        for (Thread t : threads)
            t.join();
    }
}

/** What is exact. It computes with BigInteger and BigDecimal alone, so nothing of it wraps. */
class Beside {
    final PrintStream out;

    Beside(PrintStream out) { this.out = out; }

    void say(String line) { out.println(line); }

    float single(double a) { return (float) a; }

    static BigInteger exact(String op, BigInteger a, BigInteger b) {
        switch (op.charAt(1) == 'i' ? "inc" : op.substring(1)) {
        case "inc":
        case "add": return a.add(b);
        case "sub": return a.subtract(b);
        case "mul": return a.multiply(b);
        case "div": return a.divide(b);
        default: throw new AssertionError(op);
        }
    }

    private void compare(String method, String op, String left, BigInteger right, BigInteger exact, long result,
        boolean other, int bits) {
        if (exact.bitLength() >= bits)
            say(String.join(" ", method, op, left, "" + right, other ? "?" : "" + result, "" + exact));
    }

    void two(String method, String op, int a, int b, int result) { two(method, op, a, b, result, false); }

    void two(String method, String op, int a, int b, int result, boolean other) {
        BigInteger x = BigInteger.valueOf(a), y = BigInteger.valueOf(b);
        compare(method, op, x.toString(), y, exact(op, x, y), result, other, 32);
    }

    void one(String method, String op, int a, int result) {
        BigInteger x = BigInteger.valueOf(a);
        compare(method, op, "-", x, x.negate(), result, false, 32);
    }

    void wide(String method, String op, long a, long b, long result) {
        BigInteger x = BigInteger.valueOf(a), y = BigInteger.valueOf(b);
        compare(method, op, x.toString(), y, exact(op, x, y), result, false, 64);
    }

    void wide(String method, String op, long a, long result) {
        BigInteger x = BigInteger.valueOf(a);
        compare(method, op, "-", x, x.negate(), result, false, 64);
    }

    /** How many bits are lost: by counting those that the narrow type has no room for. */
    void narrowed(String method, String op, long a, int result) {
        int bits = op.equals("i2b") ? 8 : op.equals("l2i") ? 32 : 16, lost = 0;
        boolean signed = !op.equals("i2c");
        BigInteger x = BigInteger.valueOf(a);
        if (!signed && a < 0)
            lost = 32 - bits;
        else
            for (int n = bits; n < 64; n++) {
                BigInteger limit = BigInteger.ONE.shiftLeft(signed ? n - 1 : n);
                if (x.compareTo(limit) >= 0 || (signed && x.compareTo(limit.negate()) < 0))
                    lost++;
            }
        if (lost > 0)
            say(method + " " + op + " - " + a + " " + result + " " + lost + " bits");
    }

    void rounded(String method, String op, long a, double result) {
        if (new BigDecimal(result).compareTo(new BigDecimal(a)) != 0)
            say(method + " " + op + " - " + a + " rounded");
    }

    void saturated(String method, String op, double a, long result, long least, long most) {
        if (Double.isNaN(a))
            say(method + " " + op + " - NaN " + result + " nan");
        else if (Double.isInfinite(a) || new BigDecimal(a).toBigInteger().compareTo(BigInteger.valueOf(least)) < 0
            || new BigDecimal(a).toBigInteger().compareTo(BigInteger.valueOf(most)) > 0)
            say(method + " " + op + " - " + a + " " + result + " saturated");
    }
}
