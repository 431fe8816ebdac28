/** The simplest events, with their attributes and orders. */
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_ENTRY Calls.main(
// next: METHOD_PARAM Calls.main([Ljava/lang/String;)V pc 0 * value #*:java.lang.String[] index=0
// expect: CALL Calls.main(* value - *name=twice*
// next: CALL_PARAM Calls.main(* value 21 *index=0*
// next: METHOD_ENTRY Calls.twice(I)I pc 0 * value -
// next: METHOD_PARAM Calls.twice(I)I * value 21
// next: METHOD_NORMAL_EXIT Calls.twice(I)I * value 42
// next: CALL_RETURN Calls.main(* value 42
// expect: CALL Calls.main(* value #*:Calls *name=mix*
// next: CALL_PARAM * value true
// next: CALL_PARAM * value -7
// next: CALL_PARAM * value 120
// next: CALL_PARAM * value 9223372036854775807
// next: CALL_PARAM * value #*:java.lang.String="text"
// next: CALL_PARAM * value null
// next: METHOD_ENTRY Calls.mix(* value #*:Calls
// next: METHOD_PARAM * value true *index=1
// next: METHOD_PARAM * value -7 *index=2
// next: METHOD_PARAM * value 120 *index=3
// next: METHOD_PARAM * value 9223372036854775807 *index=4
// next: METHOD_PARAM * value #*:java.lang.String="text" *index=5
// next: METHOD_PARAM * value null *index=6
// next: METHOD_NORMAL_EXIT * value -
// next: CALL_RETURN Calls.main(* value -
// expect: METHOD_ENTRY Calls.locked(* value #*:Calls *synchronized=true
// never: LOCAL_
// never: LINE_NUMBER
// agent: weave=EXEC
// expect: METHOD_ENTRY Calls.main(
// count: 1 METHOD_ENTRY Calls.twice(
// never: METHOD_PARAM
// never: CALL
// agent: weave=CALL
// never: METHOD_
// never: CALL_PARAM
// expect: CALL Calls.main(* value - *name=twice*
// next: CALL_RETURN * value 42
// agent: weave=PARAM
// never: *
public class Calls {
    static int twice(int x) { return x * 2; }
    void mix(boolean a, byte b, char c, long d, String e, Object f) { }
    synchronized void locked() { }
    public static void main(String[] args) {
        System.out.println(twice(21));
        Calls c = new Calls();
        c.mix(true, (byte) -7, 'x', Long.MAX_VALUE, "text", null);
        c.locked();
    }
}
