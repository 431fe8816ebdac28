import java.net.URI;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

/** Branches that are short before weaving and not after: loops, ifs, switches and handlers around long bodies. */
// print: --class Wide --event METHOD_NORMAL_EXIT
// agent: weave=ALL
// agent: weave=EXEC+CALL+PARAM
// expect: METHOD_NORMAL_EXIT Wide.loop(I)I
// agent: weave=LOCAL
// agent: weave=LABEL+LINE
public class WideBranches {
    static String source() {
        StringBuilder s = new StringBuilder(
            "public class Wide {\n static int g; static int id(int x) { return x; }\n public static int loop(int n) {\n"
            + "  int a = 0, b = 1; long c = 2;\n  for (int i = 0; i < n; i++) {\n   if (i % 2 == 0) {\n");
        for (int i = 0; i < 700; i++) s.append("    a += id(b + ").append(i % 7).append("); b ^= a; c += b;\n");
        s.append("   } else if (i % 3 == 0) { try {\n");
        for (int i = 0; i < 300; i++) s.append("    if (a == ").append(i).append(") b++; g = a;\n");
        s.append("    if (n == 9) throw new IllegalStateException(); } catch (IllegalStateException e) { a++; }"
            + " finally { b--; }\n   } else switch (i & 7) {\n");
        for (int k = 0; k < 8; k++) {
            s.append("    case ").append(k).append(":\n");
            for (int i = 0; i < 60; i++) s.append("     a = a * 31 + id(").append(k).append(") + b;\n");
            s.append("     break;\n");
        }
        return s.append("   }\n   while (b > 1000000) b /= 2;\n   if (a == 12345) continue;\n"
            + "   boolean q = a > b || c < a && i != 3;\n   if (q) c--;\n  }\n  return a + b + (int) c;\n }\n}\n")
            .toString();
    }
    static byte[] compile() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, java.io.ByteArrayOutputStream> out = new HashMap<>();
        var files = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(
                Location l, String name, JavaFileObject.Kind k, FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("mem:///" + name + ".class"), k) {
                    @Override
                    public java.io.OutputStream openOutputStream() {
                        var b = new java.io.ByteArrayOutputStream();
                        out.put(name, b);
                        return b;
                    }
                };
            }
        };
        var unit = new SimpleJavaFileObject(URI.create("mem:///Wide.java"), JavaFileObject.Kind.SOURCE) {
            @Override public CharSequence getCharContent(boolean ignore) { return source(); }
        };
        if (!compiler.getTask(null, files, null, List.of("-g", "--release", "17"), null, List.of(unit)).call())
            throw new AssertionError();
        return out.get("Wide").toByteArray();
    }
    public static void main(String[] args) throws Exception {
        // the first run compiles it, which takes far longer than all else
        Path kept = Path.of(System.getenv("HINDSIGHT_CLASSES"), "Wide.kept");
        if (!Files.exists(kept)) Files.write(kept, compile());
        byte[] b = Files.readAllBytes(kept);
        Class<?> c = new ClassLoader() { Class<?> of() { return defineClass("Wide", b, 0, b.length); } }.of();
        for (int n : new int[] {0, 1, 9, 40}) System.out.println(c.getMethod("loop", int.class).invoke(null, n));
    }
}
