import java.util.zip.CRC32;

/**
 * maxstring=: strings up to the limit are whole, longer ones are their beginning with the true length, and no pair of
 * surrogates is halved.
 */
// jvm: -Xmx1g
// args: 3
// long: 33
// print: --event METHOD_PARAM --method f
// agent: weave=EXEC+PARAM
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="12345" index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="1234😀" index=0
// never: cut of
// agent: weave=EXEC+PARAM,maxstring=5
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="" index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="1234" index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="12345" index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="12345" cut of 6 index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="1234" cut of 6 index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="123😀" index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="123😀" cut of 6 index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="\u0000abcd" cut of 6 index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="xyzxy" cut of *000001 index=0
// agent: weave=EXEC+PARAM,maxstring=20000
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="1234😀" index=0
// agent: weave=EXEC+PARAM,maxstring=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="" index=0
// expect: METHOD_PARAM StringCuts.f(* value #*:java.lang.String="" cut of 4 index=0
// check: cuts.py
public class StringCuts {
    /** The checksums of the whole and of what limits of 5 and 20000 leave. */
    static void f(String s, int length, long whole, long five, long twentyThousand) { }

    static long sum(String s, int limit) {
        int n = Math.min(limit, s.length());
        if (n > 0 && n < s.length() && Character.isHighSurrogate(s.charAt(n - 1))
            && Character.isLowSurrogate(s.charAt(n)))
            n--;
        CRC32 crc = new CRC32();
        byte[] bytes = new byte[1 << 17];
        for (int i = 0; i < n;) {
            int k = 0;
            for (; k < bytes.length && i < n; i++) {
                bytes[k++] = (byte) s.charAt(i);
                bytes[k++] = (byte) (s.charAt(i) >> 8);
            }
            crc.update(bytes, 0, k);
        }
        return crc.getValue();
    }

    static void pass(String s) {
        f(s, s.length(), sum(s, Integer.MAX_VALUE), sum(s, 5), sum(s, 20000));
        System.out.println(s.length());
    }

    public static void main(String[] args) {
        String high = "\ud83d", low = "\ude00", pair = high + low;
        for (String s :
            new String[] {"", "1234", "12345", "123456", "1234" + pair, "123" + pair, "123" + pair + "6", "\0abcd\0"})
            pass(s);
        for (String s : new String[] {"1234" + high, "1234" + high + "x", "1234" + high + high, "1234" + low + high,
            low + pair + pair, high.repeat(6)})
            pass(s);
        // pieces of 8192 units and the limit of 20000 both fall inside pairs, or between halves in the wrong order
        for (String before : new String[] {"", "a", "\u65e5\u672c"}) {
            for (int n : new int[] {4095, 4096, 9999, 10000, 10001}) {
                pass(before + pair.repeat(n));
                pass(before + (low + high).repeat(n));
            }
        }
        pass("x".repeat(20000));
        pass("x".repeat(19999) + pair);
        pass("\0".repeat(19999) + high + high);
        int million = 1_000_000 * Integer.parseInt(args[0]);
        pass("xyz".repeat(million) + "x");
        pass((pair + "\u65e5").repeat(million / 3));
    }
}
