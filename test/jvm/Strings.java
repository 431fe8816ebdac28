/**
 * Contents of strings, on first sight: every encoding, surrogates alone and in pairs, NUL, long ones; the program's
 * strings are not touched.
 */
// agent: weave=EXEC+PARAM
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String=""
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String="plain"
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String="Grüße"
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String="日本"
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String="😀"
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String="quote\" back\\ tab\t nul\u0000 end"
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String=*xyz*
// expect: METHOD_PARAM Strings.f(* value #*:Strings$Odd
// agent: weave=EXEC+PARAM,string=false
// never: plain
// expect: METHOD_PARAM Strings.f(* value #*:java.lang.String index=0*
// agent: weave=ALL
public class Strings {
    static int f(Object s) { return String.valueOf(s).length(); }
    static class Odd { @Override public String toString() { System.out.println("toString"); return "odd"; } }
    public static void main(String[] args) {
        for (String s : new String[] {
            "", "plain", "Gr\u00fc\u00dfe", "\u65e5\u672c", "\ud83d\ude00", "quote\" back\\ tab\t nul\u0000 end"})
            System.out.println(f(s));
        System.out.println(f("lone \ud83d surrogate \ude00 here"));
        System.out.println(f("xyz".repeat(100_000)));
        System.out.println(f(new Odd()));
    }
}
