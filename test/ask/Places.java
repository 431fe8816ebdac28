// Two threads write fields and elements of the same few objects, so often that every object is seen in every chunk.
// record: weave=FIELD+ARRAY
public class Places {
    static final int NODES = 40, CELLS = 600, ROUNDS = 50000;

    static class Node {
        int often, seldom;
        Node friend;
        final int[] cells = new int[CELLS];
    }

    static final Node[] nodes = new Node[NODES];

    static void write(int seed) {
        java.util.Random random = new java.util.Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            Node node = nodes[random.nextInt(NODES)];
            switch (random.nextInt(100)) {
            case 0: node.seldom = i; break;
            case 1: node.friend = nodes[random.nextInt(NODES)]; break;
            default:
                if (random.nextBoolean())
                    node.often = i;
                else
                    node.cells[random.nextInt(CELLS)] = i;
            }
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < NODES; i++)
            nodes[i] = new Node();
        Thread other = new Thread(() -> write(2), "other");
        other.start();
        write(1);
        other.join();
    }
}
