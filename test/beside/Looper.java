import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * A Java agent of agents.sh that retransforms the classes of Beside all the time, in a thread of its own, and gives
 * them back as they are. At the end of the program it prints whether it did, and what went wrong.
 */
public class Looper {
    private static volatile long rounds, seen;
    private static volatile Throwable wrong;

    public static void premain(String args, Instrumentation i) {
        i.addTransformer(new ClassFileTransformer() {
            @Override public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                if (name == null || !name.startsWith("Beside")) return null;
                seen++;
                return b.clone();
            }
        }, true);
        Thread loop = new Thread(() -> loop(i), "looper");
        loop.setDaemon(true);
        loop.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.out.println("looper " + (rounds > 0 && seen >= rounds) + " " + wrong);
            System.err.println("looper: " + rounds + " rounds");
        }));
    }

    private static void loop(Instrumentation i) {
        try {
            for (;; rounds++) {
                Class<?>[] all = i.getAllLoadedClasses();
                int n = 0;
                for (Class<?> c : all)
                    if (c.getName().startsWith("Beside") && i.isModifiableClass(c)) all[n++] = c;
                if (n > 0) i.retransformClasses(java.util.Arrays.copyOf(all, n));
                else Thread.sleep(1);
            }
        } catch (Throwable e) {
            wrong = e;
        }
    }
}
