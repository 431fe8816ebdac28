/** Virtual threads of a JVM without continuations: each is a thread of the system. */
// java: 21
// javac: --release 21 -g
// jvm: -XX:+UnlockExperimentalVMOptions -XX:-VMContinuations
// agent: weave=ALL
// agent: weave=ALL,derive=on
// count: 300 METHOD_ENTRY BoundThreads.twice(
public class BoundThreads {
    static int twice(int i) { return i * 2; }

    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 300; i++) {
            final int n = i;
            int[] result = new int[1];
            Thread t = Thread.ofVirtual().start(() -> result[0] = twice(n));
            t.join();
            sum += result[0];
        }
        System.out.println(sum);
    }
}
