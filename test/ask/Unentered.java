/**
 * Without EXEC nothing tells whether a woven method was entered: only calls of methods that no woven class has are
 * hand-overs.
 */
// record: weave=CALL+PARAM+FIELD+ARRAY
public class Unentered {
    static void look(int[] a) { }
    public static void main(String[] args) {
        int[] seen = { 1, 2 }, copied = { 3, 4 };
        look(seen);
        look(copied);
        System.arraycopy(seen, 0, copied, 0, 2);
        System.out.println(copied.length);
    }
}
