import java.nio.charset.StandardCharsets;

/**
 * The JDK's constructors woven: a string or an exception is seen inside of its own constructor before it has its
 * content, which is what it has when the constructor returns.
 */
// agent: i=java/lang/String,i=java/lang/Throwable
// print: --class MadeStrings
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String="bc"
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String="Grüße"
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String=""
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String="copied"
// agent: i=java/lang/String,derive=off
// print: --class MadeStrings
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String="bc"
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String="Grüße"
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String=""
// expect: CALL_RETURN MadeStrings.show(* value #*:java.lang.String="copied"
public class MadeStrings {
    static <T> T show(T o) { return java.util.Objects.requireNonNull(o); }

    public static void main(String[] args) {
        char[] c = { 'a', 'b', 'c', 'd' };
        System.out.println(show(new String(c, 1, 2)));
        byte[] bytes = "Gr\u00fc\u00dfe".getBytes(StandardCharsets.UTF_8);
        System.out.println(show(new String(bytes, StandardCharsets.UTF_8)).length());
        System.out.println(show(new String(c, 1, 0)).isEmpty());
        System.out.println(show(new String(new StringBuilder("copied"))));
        System.out.println(show(new IllegalStateException("kept").getMessage()));
        try {
            new String(c, 3, 4);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("caught");
        }
    }
}
