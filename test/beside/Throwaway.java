import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/**
 * Throwaway CLASSES: loads a class in as many loaders, one after the other, each dropped after a call. In each of them
 * the class makes a lambda, whose class is hidden; every fourth round also defines a hidden class itself. Prints what
 * the calls gave, the name of every thousandth class, and at the end that classes were unloaded. On standard error: the
 * resident memory, ten times.
 */
public class Throwaway {
    public interface Work {
        int run(int n);
    }

    /** Loaded again and again. */
    public static class Unit implements Work {
        private int last;
        private static int calls;

        public int run(int n) {
            IntSupplier twice = () -> 2 * last + calls;
            last = n;
            calls++;
            Object[] kept = { this, "unit " + n, twice };
            return kept.length * twice.getAsInt();
        }
    }

    /** Hidden each time. */
    public static class Secret implements Work {
        private static int calls;

        public int run(int n) { return 7 * n + calls++; }
    }

    private static class Loader extends ClassLoader {
        private final byte[] bytes;

        Loader(byte[] bytes) {
            super(Throwaway.class.getClassLoader());
            this.bytes = bytes;
        }

        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.endsWith("$Unit") ? defineClass(name, bytes, 0, bytes.length) : super.loadClass(name, resolve);
        }
    }

    private static byte[] bytesOf(String name) throws Exception {
        try (InputStream in = Throwaway.class.getResourceAsStream("Throwaway$" + name + ".class")) {
            return in.readAllBytes();
        }
    }

    private static String resident() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status")))
            if (line.startsWith("VmRSS:")) return line.replaceAll("[^0-9]", "");
        return "none";
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        byte[] bytes = bytesOf("Unit"), hidden = bytesOf("Secret");
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Work unit = (Work) new Loader(bytes).loadClass("Throwaway$Unit").getConstructor().newInstance();
            sum = 31 * sum + unit.run(i);
            if (i % 4 == 0)
                sum += ((Work) MethodHandles.lookup().defineHiddenClass(hidden, true).lookupClass().getConstructor()
                    .newInstance()).run(i);
            if (i % 1000 == 0) System.out.println(unit.getClass().getName() + " " + sum);
            if ((i + 1) % (n / 10) == 0) {
                System.gc();
                System.err.println("resident " + resident());
            }
        }
        System.gc();
        System.out.println("sum " + sum);
        System.out.println(ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount() > n);
    }
}
