// record: weave=ALL,e=DefaultsOutside$Outside
/** Code that is not woven writes what it finds, without being given it. */
class DefaultsOutside {
    static class Node {
        int id;
        boolean seen;
        Node next;
        int[] places;

        Node(int id) {
            this.id = id;
        }
    }

    static class Outside {
        static void mark() {
            kept.next.seen = true;
            kept.next.places[1] = 4;
        }
    }

    static Node kept;

    public static void main(String[] args) {
        kept = new Node(1);
        kept.next = new Node(2);
        kept.next.places = new int[2];
        Outside.mark();
        Node own = new Node(3);
        int[] room = new int[2];
        room[0] = own.id;
        System.out.println(room[0]);
    }
}
