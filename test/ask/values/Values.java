import java.math.BigDecimal;
import java.util.*;

/** Values of every kind, as parameters: what `print` shows of them is what `print --value` takes. */
public class Values {
    enum State { OPEN, SENT { int days() { return 2; } }; int days() { return 1; } }
    record Pair(int left, String right) { }
    static class Box { Object o; Box(Object o) { this.o = o; } }
    static void take(byte b, short s, char c, int i, long j, float f, double d, boolean z, Object o) { }
    static void many(Object... all) { for (Object o : all) take((byte) 1, (short) 2, 'a', 3, 4L, 5f, 6.0, true, o); }
    public static void main(String[] args) {
        take((byte) -1, (short) -300, 't', -7, Long.MIN_VALUE, Float.NaN, Double.NaN, true, null);
        take((byte) 127, (short) 300, '\'', 42, Long.MAX_VALUE, -0.0f, Double.NEGATIVE_INFINITY, false, new Box(null));
        take((byte) 0, (short) 0, '\\', 010, 1L << 40, 0.1f, Double.POSITIVE_INFINITY, true, new int[3]);
        take((byte) 7, (short) 7, '7', 7, 7L, 7f, 7.0, false, "t");
        take((byte) 0, (short) 0, '\n', 0, 0L, Float.MIN_VALUE, -1.5e300, true,
            "with \"quotes\" and \\ and \t and \u0000");
        take((byte) 0, (short) 0, '\u20ac', 0, 0L, 0f, 0.0, true, "\u20ac \ud83d\ude00 \ud83d");
        many("", "text", "NaN", "true", new String[2][3], new Box("text"),
            "a long one that is cut when it is shown: ".repeat(9));
        many(State.OPEN, State.SENT, 41, 5_000_000_000L, 'q', 2.5, false, new BigDecimal("120.00"));
        many(new Pair(7, "seven"), List.of(3, 1, 4), Optional.of(41), Optional.empty());
    }
}
