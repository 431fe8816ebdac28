import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Virtual threads that go from carrier to carrier and use a new class in each round: all of it is recorded. */
// java: 21
// javac: --release 21 -g
// jvm: -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
// print: --event METHOD_PARAM --class *Step
// agent: weave=ALL
// count: 36000 METHOD_PARAM VirtualLoads$Step.applyAsInt(
// info: "lost":0
public class VirtualLoads {
    static final int THREADS = 8, ROUNDS = 1500;

    public static class Step implements IntUnaryOperator {
        @Override
        public int applyAsInt(int n) {
            int sum = n;
            for (int i = 0; i < 3; i++) {
                Thread.yield();
                sum += i;
            }
            return sum;
        }
    }

    static class Loader extends ClassLoader {
        Loader() { super(VirtualLoads.class.getClassLoader()); }
        Class<?> define(byte[] bytes) { return defineClass("VirtualLoads$Step", bytes, 0, bytes.length); }
    }

    public static void main(String[] args) throws Exception {
        byte[] bytes;
        try (var in = VirtualLoads.class.getResourceAsStream("VirtualLoads$Step.class")) {
            bytes = in.readAllBytes();
        }
        List<Thread> threads = new ArrayList<>();
        long[] sums = new long[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < ROUNDS; i++) {
                        Class<?> c = new Loader().define(bytes);
                        IntUnaryOperator step = (IntUnaryOperator) c.getDeclaredConstructor().newInstance();
                        for (int k = 0; k < 3; k++)
                            sums[number] += step.applyAsInt(i + k);
                    }
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (Thread t : threads)
            t.join();
        for (long sum : sums)
            System.out.println(sum);
    }
}
