/** Works in small rounds until a file is gone. */
public class Living {
    static int round(int n) {
        return n + 1;
    }

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(() -> {
            for (int n = 0;; n = round(n))
                try {
                    Thread.sleep(2);
                } catch (InterruptedException e) {
                    return;
                }
        }, "worker");
        worker.start();
        while (new java.io.File(args[0]).exists())
            Thread.sleep(20);
        worker.interrupt();
        worker.join();
    }
}
