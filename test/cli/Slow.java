/** Calls that take far less than a tick of the recorder's coarse clock, and one that takes far more. */
public class Slow {
    static int twice(int x) { return 2 * x; }
    static void sleep() throws Exception { Thread.sleep(400); }
    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 2000; i++) sum += twice(i);
        sleep();
        System.out.println(sum);
    }
}
