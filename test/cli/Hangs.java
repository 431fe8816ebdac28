import java.util.concurrent.CountDownLatch;

/** A thread waits for what never comes, until the program ends without it. */
public class Hangs {
    static final CountDownLatch never = new CountDownLatch(1);
    static int sum;

    static void hang() {
        try {
            never.await();
        } catch (InterruptedException e) { sum++; }
    }

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(Hangs::hang, "hangs");
        t.setDaemon(true);
        t.start();
        while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        Thread.sleep(400);
        sum++;
    }
}
