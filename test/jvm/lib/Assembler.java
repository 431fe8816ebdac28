import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes class files that javac does not write: old versions, jsr, wide forms, constant pools at their limit (JVMS 4).
 */
final class Assembler {
    /** Big-endian bytes; every method returns this. */
    static final class Bytes {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        Bytes u1(int... v) { for (int x : v) out.write(x); return this; }
        Bytes u2(int... v) { for (int x : v) { out.write(x >> 8); out.write(x); } return this; }
        Bytes u4(long v) { return u2((int) (v >> 16) & 0xffff, (int) v & 0xffff); }
        Bytes all(byte[] b) { out.writeBytes(b); return this; }
        int at() { return out.size(); }
        byte[] get() { return out.toByteArray(); }
    }

    private final Bytes pool = new Bytes();
    private final Map<String, Integer> known = new LinkedHashMap<>();
    private int next = 1;
    private final List<byte[]> methods = new ArrayList<>(), fields = new ArrayList<>();
    private final Bytes bootstraps = new Bytes();
    private int bootstrapCount;
    final int version, self;
    String parent = "java/lang/Object";

    Assembler(int version, String name) { this.version = version; self = type(name); }

    private int entry(String key, int slots, byte[] bytes) {
        Integer old = known.get(key);
        if (old != null) return old;
        pool.all(bytes);
        known.put(key, next);
        next += slots;
        return next - slots;
    }
    int count() { return next; }
    int utf8(String s) {
        try {
            ByteArrayOutputStream b = new ByteArrayOutputStream();
            new DataOutputStream(b).writeUTF(s);
            return entry("u" + s, 1, new Bytes().u1(1).all(b.toByteArray()).get());
        } catch (IOException e) { throw new UncheckedIOException(e); }
    }
    int type(String name) { int u = utf8(name); return entry("c" + name, 1, new Bytes().u1(7).u2(u).get()); }
    int string(String s) { int u = utf8(s); return entry("s" + s, 1, new Bytes().u1(8).u2(u).get()); }
    int integer(int v) { return entry("i" + v, 1, new Bytes().u1(3).u4(v & 0xffffffffL).get()); }
    int longs(long v) { return entry("l" + v, 2, new Bytes().u1(5).u4(v >>> 32).u4(v & 0xffffffffL).get()); }
    int nameType(String n, String d) {
        int a = utf8(n), b = utf8(d);
        return entry("n" + n + ":" + d, 1, new Bytes().u1(12).u2(a, b).get());
    }
    private int member(int tag, String o, String n, String d) {
        int a = type(o), b = nameType(n, d);
        return entry("m" + tag + o + "." + n + d, 1, new Bytes().u1(tag).u2(a, b).get());
    }
    int field(String o, String n, String d) { return member(9, o, n, d); }
    int method(String o, String n, String d) { return member(10, o, n, d); }
    int handle(int kind, int member) {
        return entry("h" + kind + ":" + member, 1, new Bytes().u1(15).u1(kind).u2(member).get());
    }
    int methodType(String d) { int u = utf8(d); return entry("t" + d, 1, new Bytes().u1(16).u2(u).get()); }
    /** A bootstrap method, for dynamic(...): gives its index. */
    int bootstrap(int handle, int... arguments) {
        bootstraps.u2(handle, arguments.length).u2(arguments);
        return bootstrapCount++;
    }
    /** tag 17 a dynamic constant, 18 an invokedynamic. */
    int dynamic(int tag, int bootstrap, String n, String d) {
        int b = nameType(n, d);
        return entry("d" + tag + bootstrap + n + d, 1, new Bytes().u1(tag).u2(bootstrap, b).get());
    }

    void addField(int access, String n, String d) { fields.add(new Bytes().u2(access, utf8(n), utf8(d), 0).get()); }

    /** handlers: start, end, handler, type index for each. */
    void add(int access, String n, String d, int stack, int locals, byte[] code, int... handlers) {
        int name = utf8(n), desc = utf8(d), attribute = utf8("Code");
        Bytes b =
            new Bytes().u2(access, name, desc, 1, attribute).u4(2 + 2 + 4 + code.length + 2 + handlers.length * 2 + 2);
        b.u2(stack, locals).u4(code.length).all(code).u2(handlers.length / 4).u2(handlers).u2(0);
        methods.add(b.get());
    }

    byte[] finish() {
        int extended = type(parent), attribute = bootstrapCount > 0 ? utf8("BootstrapMethods") : 0;
        Bytes b =
            new Bytes().u4(0xCAFEBABEL).u2(0, version, next).all(pool.get()).u2(0x21, self, extended, 0, fields.size());
        for (byte[] f : fields) b.all(f);
        b.u2(methods.size());
        for (byte[] m : methods) b.all(m);
        if (bootstrapCount == 0) return b.u2(0).get();
        byte[] all = bootstraps.get();
        return b.u2(1, attribute).u4(2 + all.length).u2(bootstrapCount).all(all).get();
    }

    /** A loader that knows the given classes and asks its parent for the rest. */
    static class Loader extends ClassLoader {
        final Map<String, byte[]> classes;
        Loader(ClassLoader parent, Map<String, byte[]> classes) { super(parent); this.classes = classes; }
        @Override protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] b = classes.get(name);
            if (b == null) throw new ClassNotFoundException(name);
            return defineClass(name, b, 0, b.length);
        }
    }

    static Class<?> load(String name, byte[] bytes) throws ClassNotFoundException {
        return new Loader(Assembler.class.getClassLoader(), Map.of(name, bytes)).loadClass(name);
    }
}
