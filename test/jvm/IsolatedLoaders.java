import java.io.InputStream;
import java.lang.module.*;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;

/**
 * Loaders that see almost nothing: no parent, OSGi style, a module layer, parallel capable; one name in two loaders.
 */
// classes: lib/Assembler.java
// agent: weave=ALL,e=Assembler
// agent: weave=EXEC+CALL+PARAM,e=Assembler
// count: 3 METHOD_ENTRY IsolatedLoaders$Guest.twice(
// expect: METHOD_ENTRY IsolatedLoaders$Guest.twice(
public class IsolatedLoaders {
    public static class Guest implements java.util.function.IntUnaryOperator {
        static int calls;
        public int applyAsInt(int x) { return twice(x) + ++calls; }
        static int twice(int x) { String s = "x" + x; return s.length() + 2 * x; }
    }
    static byte[] bytes(String name) throws Exception {
        try (InputStream in = IsolatedLoaders.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }
    /** Gives java.* to the boot loader alone, like OSGi; all else from itself. */
    static class Osgi extends ClassLoader {
        static { registerAsParallelCapable(); }
        Osgi(ClassLoader parent) { super(parent); }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("java."))
                return Object.class.getClassLoader() == null ? Class.forName(name, false, null) : null;
            synchronized (getClassLoadingLock(name)) {
                Class<?> c = findLoadedClass(name);
                if (c != null) return c;
                if (!name.startsWith("IsolatedLoaders")) throw new ClassNotFoundException("hidden: " + name);
                try {
                    byte[] b = bytes(name);
                    return defineClass(name, b, 0, b.length);
                } catch (Exception e) { throw new ClassNotFoundException(name, e); }
            }
        }
    }
    static int use(Class<?> c) throws Exception {
        return ((java.util.function.IntUnaryOperator) c.getDeclaredConstructor().newInstance()).applyAsInt(21);
    }

    public static void main(String[] args) throws Exception {
        Class<?> here = Guest.class, alone = new Osgi(null).loadClass("IsolatedLoaders$Guest"),
            again = new Osgi(ClassLoader.getPlatformClassLoader()).loadClass("IsolatedLoaders$Guest");
        System.out.println(use(here) + " " + use(alone) + " " + use(again) + " " + (here == alone) + (alone == again));
        // many threads ask one parallel-capable loader
        Osgi shared = new Osgi(null);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Class<?>>> all = new ArrayList<>();
        for (int i = 0; i < 32; i++) all.add(pool.submit(() -> shared.loadClass("IsolatedLoaders")));
        Set<Class<?>> seen = new HashSet<>();
        for (Future<Class<?>> f : all) seen.add(f.get());
        pool.shutdown();
        System.out.println(seen.size());
        // a module layer whose module reads nothing but java.base
        byte[] mod = bytes("IsolatedModule");
        ModuleDescriptor d =
            ModuleDescriptor.newModule("isolated").packages(Set.of("isolated")).exports("isolated").build();
        ModuleFinder finder = new ModuleFinder() {
            final ModuleReference ref = new ModuleReference(d, URI.create("mem:isolated")) {
                public ModuleReader open() {
                    return new ModuleReader() {
                        public Optional<URI> find(String n) { return Optional.empty(); }
                        public Optional<ByteBuffer> read(String n) {
                            if (!n.equals("isolated/InModule.class")) return Optional.empty();
                            return Optional.of(ByteBuffer.wrap(inModule()));
                        }
                        public java.util.stream.Stream<String> list() {
                            return java.util.stream.Stream.of("isolated/InModule.class");
                        }
                        public void close() { }
                    };
                }
            };
            public Optional<ModuleReference> find(String n) {
                return n.equals("isolated") ? Optional.of(ref) : Optional.empty();
            }
            public Set<ModuleReference> findAll() { return Set.of(ref); }
        };
        Configuration cf = ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of("isolated"));
        ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(cf, null);
        Class<?> in = layer.findLoader("isolated").loadClass("isolated.InModule");
        System.out.println(
            in.getModule() + " " + in.getDeclaredMethod("run", int.class).invoke(null, 5) + " " + mod.length / 100000);
    }
    /** isolated.InModule with `public static int run(int x) { return x * x; }`. */
    static byte[] inModule() {
        Assembler a = new Assembler(52, "isolated/InModule");
        a.add(9, "run", "(I)I", 2, 1, new Assembler.Bytes().u1(0x1a, 0x1a, 0x68, 0xac).get());
        return a.finish();
    }
}
class IsolatedModule { }
