import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/** A Java agent that retransforms a class: first as it is, then with the class file that its argument names. */
public class Exchanger {
    private static Instrumentation instrumentation;
    private static byte[] other;
    private static int asked;

    public static void premain(String args, Instrumentation i) throws Exception {
        instrumentation = i;
        other = Files.readAllBytes(Path.of(args));
        i.addTransformer(new ClassFileTransformer() {
            @Override public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                return c != null && "Weavings".equals(name) ? ++asked == 1 ? b.clone() : other : null;
            }
        }, true);
    }

    public static void exchange(Class<?> c) throws Exception { instrumentation.retransformClasses(c); }
}
