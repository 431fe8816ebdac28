/**
 * A local is stored, then something throws that no group tells of: in the handler the local has the new value, and
 * fsck knows it.
 */
// agent: weave=EXEC+LOCAL
// expect: LOCAL_STORE StoreBeforeThrow.length(* value -3 *name=after
// next: CATCH StoreBeforeThrow.length(* value #*:java.lang.NullPointerException
// expect: LOCAL_LOAD StoreBeforeThrow.length(* value -3 *name=after
// agent: weave=ALL
public class StoreBeforeThrow {
    static String text; // no local: between the store and the exception there is no event

    static int length(int a) {
        {
            int before = a + 1;
            if (before > 100) return before;
        }
        int after = a - 10; // in the slot of the one before
        try {
            return text.length();
        } catch (NullPointerException e) {
            return after;
        }
    }

    public static void main(String[] args) {
        int none = length(7);
        text = "abc";
        System.out.println(none + " " + length(8));
    }
}
