import java.util.ArrayList;
import java.util.List;

/** NEW_OBJECT and NEW_OBJECT_CREATED pair by `created`, nested, dropped, in loops, and with exceptions in between. */
// agent: weave=EXEC+CALL+PARAM
// count: 3 NEW_OBJECT_CREATED NewPairs.main(* value #*:NewPairs$Node created=*
// count: 4 NEW_OBJECT NewPairs.main(
// count: 10 NEW_OBJECT_CREATED NewPairs.loop(
// never: NEW_OBJECT_CREATED NewPairs.failing(* value #*:NewPairs$Node
public class NewPairs {
    static class Node {
        final Node next; final long big;
        Node(Node next, long big) {
            this.next = next;
            this.big = big;
            if (big < 0) throw new IllegalStateException("big");
        }
    }
    static long fail(long x) { if (x == 0) throw new ArithmeticException("zero"); return x; }
    static int loop() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < 3; i++)
            all.add(new StringBuilder(new String(new char[] {'a', (char) ('b' + i)})).append(i).toString());
        for (int i = 0; i < 3; i++) new Object();
        return all.size();
    }
    static void failing() {
        try { System.out.println(new Node(null, fail(0))); } catch (ArithmeticException e) { System.out.println(e); }
    }
    public static void main(String[] args) {
        Node n = new Node(new Node(null, 1L << 40), 2);
        System.out.println(n.next.big + n.big);
        new Node(null, 5);
        failing();
        try { new Node(null, -1); } catch (IllegalStateException e) { System.out.println(e); }
        System.out.println(loop());
    }
}
