import java.lang.instrument.*;
import java.security.ProtectionDomain;

/**
 * A Java agent of hook-changer.sh, and its program. It makes of every hook class something that is no class, and
 * retransforms all that it can find. It has a thread, whose first method runs before recording begins.
 */
public class HookChanger {
    static Instrumentation instrumentation;
    static volatile boolean begun, done;
    static int broken;

    public static void premain(String args, Instrumentation i) {
        instrumentation = i;
        i.addTransformer(new ClassFileTransformer() {
            @Override public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                if (name == null || !name.startsWith("java/lang/Hindsight")) return b.clone();
                broken++;
                return new byte[] { 1, 2, 3 };
            }
        }, true);
        Thread t = new Thread(() -> {
            for (int k = 0; !begun; k++)
                pause();
            step();
            done = true;
        });
        t.setDaemon(true);
        t.start();
    }
    static void pause() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
    static void step() { }

    public static void main(String[] args) throws Exception {
        pause();
        int hooks = 0;
        for (int i = 0; i < 4; i++) {
            for (Class<?> c : instrumentation.getAllLoadedClasses())
                if (c.getName().startsWith("java.lang.HindsightHook")) {
                    instrumentation.retransformClasses(c);
                    hooks++;
                }
            instrumentation.retransformClasses(HookChanger.class);
            step();
        }
        begun = true;
        while (!done) pause();
        System.out.println(hooks > 0 ? hooks > 4 && broken >= hooks ? "all changed" : "too few" : "none");
    }
}
