/** What nothing has written holds null, 0 or false: known of what recorded code made, while no other code has it. */
class Defaults {
    static class Base {
        static int made;
        int id;
        boolean seen;
        Object link;
    }

    static class Node extends Base {
        double weight;
        Node next;
        char mark;

        Node(int id) {
            this.id = id;
        }
    }

    static int[] kept(int n) {
        return new int[n];
    }

    public static void main(String[] args) throws Exception {
        Node head = new Node(1);
        head.next = new Node(2);
        head.next.seen = true;
        int[] counts = new int[3];
        counts[1] = 5;
        String[][] grid = new String[2][3];
        grid[1][0] = "x";
        int[] big = kept(5_000_000);
        big[4_999_998] = 7;
        Node given = new Node(3);
        Node.class.getDeclaredField("mark").setChar(given, 'g');
        Node called = Node.class.getDeclaredConstructor(int.class).newInstance(4);
        called.link = head;
        int width = counts[1] - 2;
        Object[][] table = new Object[1][width + 1];
        int[] copied = new int[4].clone();
        copied[3] = table.length;
        boolean[] flags = new boolean[2];
        java.util.Arrays.fill(flags, true);
        System.out.println(counts[1] + called.id);
    }
}
