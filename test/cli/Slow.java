/** Calls that take far less than a tick of the recorder's coarse clock, and one that takes far more. Prints what the
 * short ones took. */
public class Slow {
    static int twice(int x) { return 2 * x; }
    static void sleep() throws Exception { Thread.sleep(400); }
    static int down(int n) throws Exception {
        if (n > 1) return 1 + down(n - 1);
        Thread.sleep(20);
        return 1;
    }
    public static void main(String[] args) throws Exception {
        int sum = 0;
        long begin = System.nanoTime();
        for (int i = 0; i < 2000; i++) sum += twice(i);
        long took = System.nanoTime() - begin;
        sleep();
        sum += down(60);
        System.out.println(sum + " " + took);
    }
}
