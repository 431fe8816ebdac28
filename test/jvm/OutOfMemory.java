import java.util.ArrayList;
import java.util.List;

/** The heap ends in woven code: the program catches it and goes on; ids and strings never throw into it. */
// jvm: -Xmx32m
// print: --method fill
// agent: weave=ALL
// agent: weave=EXEC+CALL+PARAM
public class OutOfMemory {
    static class Node { Node next; long[] load = new long[200]; Node(Node n) { next = n; } }
    static int fill() {
        Node head = null; int n = 0;
        try {
            while (true) {
                head = new Node(head);
                n++;
            }
        } catch (OutOfMemoryError e) {
            head = null;
            return n > 100 ? 1 : 0;
        }
    }
    public static void main(String[] args) {
        int ok = 0;
        for (int i = 0; i < 2; i++) ok += fill();
        List<String> l = new ArrayList<>();
        try { for (int i = 0; ; i++) l.add(("s" + i).repeat(500)); } catch (OutOfMemoryError e) { l = null; ok++; }
        try { ok += new int[Integer.MAX_VALUE].length; } catch (OutOfMemoryError e) { ok++; }
        System.out.println(ok);
    }
}
