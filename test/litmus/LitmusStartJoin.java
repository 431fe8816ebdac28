/** Messages by starting and joining threads: to the child through start(), back through join(). */
// divide: 40
public class LitmusStartJoin {
    static int data; // plain: ordered by start and join alone

    static int send(int i) { return i; }
    static int recv(int i) { return i; }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        for (int i = 1; i <= rounds; i++) {
            int up = 2 * i, down = 2 * i + 1;
            send(up);
            data = up;
            Thread child = new Thread(() -> {
                recv(data);
                send(down);
                data = down;
            });
            child.start();
            child.join();
            recv(data);
        }
        System.out.println("done " + data);
    }
}
