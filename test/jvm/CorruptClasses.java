import java.io.InputStream;
import java.util.Random;
import java.util.Map;

/** Truncated and corrupted classes through a class loader: the JVM says what it said, and nothing of ours crashes. */
// classes: lib/Assembler.java
// print: --class Corrupt*
// agent: weave=ALL,e=Assembler
// agent: weave=EXEC+CALL+PARAM,e=Assembler
public class CorruptClasses {
    static class Victim {
        int f;
        Victim(int x) { f = x; }
        int g(Object o) {
            try {
                return o.hashCode() + f;
            } catch (NullPointerException e) { return -1; }
        }
    }
    public static void main(String[] args) throws Exception {
        byte[] good;
        try (InputStream in = CorruptClasses.class.getResourceAsStream("CorruptClasses$Victim.class")) {
            good = in.readAllBytes();
        }
        Random random = new Random(5);
        int[] counts = new int[4];
        for (int i = 0; i < 600; i++) {
            byte[] b = i < 150 ? java.util.Arrays.copyOf(good, i * good.length / 150) : good.clone();
            if (i >= 150)
                for (int k = 0; k < 1 + i % 3; k++) b[8 + random.nextInt(b.length - 8)] = (byte) random.nextInt(256);
            String verdict;
            try {
                ClassLoader above = CorruptClasses.class.getClassLoader();
                Class<?> c = new Assembler.Loader(above, Map.of("CorruptClasses$Victim", b)) {
                    @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                        boolean victim = name.equals("CorruptClasses$Victim");
                        return victim ? findClass(name) : super.loadClass(name, resolve);
                    }
                }.loadClass("CorruptClasses$Victim");
                verdict = "loaded";
                Class.forName(c.getName(), true, c.getClassLoader());
                c.getDeclaredMethods();
                verdict = "linked";
            } catch (LinkageError e) { verdict = "rejected"; // of several faults the JVM names the first it meets
            } catch (Throwable e) { verdict = e.getClass().getName(); }
            System.out.println(i + " " + verdict);
        }
    }
}
