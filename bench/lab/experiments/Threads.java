/** Threads N CALLS: N threads that share nothing, each making so many small calls. */
public class Threads {
    private int sum;

    private void add(int i) {
        sum += i;
    }

    public static void main(String[] words) throws InterruptedException {
        Thread[] threads = new Thread[Integer.parseInt(words[0])];
        int calls = Integer.parseInt(words[1]);
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                Threads own = new Threads();
                for (int i = 0; i < calls; i++) {
                    own.add(i);
                }
                if (own.sum == 42) {
                    System.out.println("never");
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
