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

// ask: hindsight print --event NEW_OBJECT_CREATED T
// answer: {first} 0 NEW_OBJECT_CREATED Links$Node#{a} Links.main
// ask: hindsight history {a}.next T
// answer: {made} 0 PUT_INSTANCE_FIELD_VALUE null Links$Node.<init>
// answer: {inserted} 0 PUT_INSTANCE_FIELD_VALUE Links$Node#{b} Links.insertAfter
// answer: {linked} 0 PUT_INSTANCE_FIELD_VALUE Links$Node#{c} Links.insertWrongly
// lines: 7
// ask: hindsight object {a} T
// answer: Links$Node.name "a"#
// next: Links$Node.next Links$Node#{c}
// ask: hindsight object {b} T
// answer: Links$Node.name "b"#
// ask: hindsight object {c} T
// answer: Links$Node.name "c"#
// next: Links$Node.next null
// ask: hindsight object {a} --at {inserted} T
// answer: Links$Node.next Links$Node#{b}
// ask: hindsight object {a} --at {linked} T
// answer: Links$Node.next Links$Node#{c}
// ask: hindsight object {c} --at 0 T
// answer: Links$Node#{c}
// never: Links$Node.n
// ask: hindsight print --event GET_INSTANCE_FIELD_RESULT --method length T
// answer: {next} 0 GET_INSTANCE_FIELD_RESULT Links$Node#{c}
// next: {null} 0 GET_INSTANCE_FIELD_RESULT null
// lines: 3
// ask: hindsight why {next} T
// answer: GET_INSTANCE_FIELD_RESULT Links$Node#{c} Links.length
// answer: PUT_INSTANCE_FIELD_VALUE Links$Node#{c} Links.insertWrongly
// next: stored:
// next: LOCAL_LOAD * Links.insertWrongly
// next: read from local fresh
// next: LOCAL_STORE * Links.insertWrongly
// next: stored:
// next: NEW_OBJECT_CREATED * Links.insertWrongly
// next: the object was made here
// next: (new object)
// ask: hindsight why {null} T
// answer: CALL_PARAM null Links.insertWrongly
// next: argument of the call: constant null
// next: (constant)
// ask: hindsight print --event METHOD_NORMAL_EXIT --method length T
// answer: {inner} 0 METHOD_NORMAL_EXIT 0
// next: 1
// next: {outer} 0 METHOD_NORMAL_EXIT 2
// ask: hindsight print --event METHOD_ENTRY --method length T
// answer: {entered} 0 METHOD_ENTRY
// ask: hindsight locals --at {inner} T
// answer: 0 Links.length
// next: first null
// next: 1 Links.length
// next: first Links$Node#{c}
// next: 2 Links.length
// next: first Links$Node#{a}
// next: 3 Links.main
// next: args String[]#
// next: a Links$Node#{a}
// lines: 9
// ask: hindsight locals --at {outer} T
// next: 0 Links.length* entered at {entered}
// next: first Links$Node#{a}
// next: rest 1
// next: 1 Links.main
// lines: 6
// ask: hindsight print --event METHOD_PARAM --method '<init>' T
// answer: {name} 0 METHOD_PARAM "b"#* Links$Node.<init>
// ask: hindsight locals --at {name} T
// never: this
// ask: hindsight tree --around {inner} T
// next: 0 Links.main(
// answer: Links.length(Links$Node#{a}) = 2
// next: Links.length(Links$Node#{c}) = 1
// next: Links.length(null) = 0
