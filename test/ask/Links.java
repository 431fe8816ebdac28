// A linked list in which the insertion of c links to the wrong node: b is lost.
public class Links {
    static class Node {
        final String name;
        Node next;
        Node(String name, Node next) {
            this.name = name;
            this.next = next;
        }
    }

    static Node insertAfter(Node node, String name) {
        Node after = node.next;
        Node fresh = new Node(name, after);
        node.next = fresh;
        return fresh;
    }

    static Node insertWrongly(Node node, String name) {
        Node fresh = new Node(name, null); // should be node.next
        node.next = fresh;
        return fresh;
    }

    static int length(Node first) {
        if (first == null)
            return 0;
        int rest = length(first.next);
        return rest + 1;
    }

    public static void main(String[] args) {
        Node a = new Node("a", null);
        insertAfter(a, "b");
        insertWrongly(a, "c");
        int count = length(a);
        System.out.println("length " + count); // 2, not 3
    }
}
