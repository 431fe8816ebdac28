import java.lang.instrument.*;
import java.security.ProtectionDomain;

/** Beside us a Java agent that transforms, retransforms and redefines: both see their classes, nothing breaks. */
// javaagent: OtherAgent
// agent: weave=ALL
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_NORMAL_EXIT OtherAgent$Target.f(
public class OtherAgent {
    static Instrumentation instrumentation;
    static int seen;
    public static void premain(String args, Instrumentation i) {
        instrumentation = i;
        i.addTransformer(new ClassFileTransformer() {
            @Override public byte[] transform(ClassLoader l, String name, Class<?> c, ProtectionDomain d, byte[] b) {
                if (name == null || !name.startsWith("OtherAgent$Target")) return null;
                seen++;
                if (b[0] != (byte) 0xca) throw new AssertionError();
                return c == null ? b.clone() : null; // the same bytes, as if changed
            }
        }, true);
    }
    static class Target { int v = 3; int f(int x) { return g(x) + v; } static int g(int x) { return x * 2; } }
    public static void main(String[] args) throws Exception {
        Target t = new Target();
        System.out.println(t.f(1) + " " + (seen >= 1));
        for (int i = 0; i < 20; i++) {
            instrumentation.retransformClasses(Target.class);
            if (t.f(i) != 2 * i + 3) throw new AssertionError();
        }
        byte[] b;
        try (var in = OtherAgent.class.getResourceAsStream("OtherAgent$Target.class")) { b = in.readAllBytes(); }
        for (int i = 0; i < 5; i++) {
            instrumentation.redefineClasses(new ClassDefinition(Target.class, b));
            if (t.f(i) != 2 * i + 3) throw new AssertionError();
        }
        System.out.println(t.f(5) + " " + (seen >= 26));
    }
}
