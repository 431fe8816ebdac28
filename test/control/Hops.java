/** Computes, and once it is told to on standard input, goes on in a virtual thread. Says "ready PID" first. */
// java: 21
// javac: --release 21 -g
public class Hops {
    static int step(int[] cells, int k) {
        int sum = 0;
        for (int i = 0; i < cells.length; i++) {
            sum += cells[i] * k;
            cells[i] = sum;
        }
        return sum;
    }

    static int late(int times) {
        int[] cells = { 1, 2, 3 };
        int sum = 0;
        for (int i = 0; i < times; i++) sum += step(cells, i);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("ready " + ProcessHandle.current().pid());
        int[] cells = new int[50];
        for (int n = 0; System.in.available() == 0; n++) {
            step(cells, n);
            Thread.sleep(1);
        }
        int[] result = new int[1];
        Thread t = Thread.ofVirtual().start(() -> result[0] = late(100));
        t.join();
        System.out.println(result[0] == late(100));
    }
}
