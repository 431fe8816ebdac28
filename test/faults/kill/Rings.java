/** A loop that calls nothing, without end. */
public class Rings {
    static int[] cells = new int[64];

    static int straight(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            sum += cells[i & 63];
            cells[(i * 7) & 63] = sum;
        }
        return sum;
    }

    public static void main(String[] args) {
        int sum = straight(200000);
        System.out.println("running");
        while (true) sum += straight(100000);
    }
}
