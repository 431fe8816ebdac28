import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.*;
import java.util.concurrent.Callable;

/**
 * Class loaders that refuse what they do not know, each in its own way. They also print what they are asked for: the
 * hook class is nothing that the program may see. Loaders of Lost are of a hidden class, which the JVM changes for
 * nobody: what they load is not woven.
 */
// never: *java.lang.HindsightHook*
// agent: weave=ALL
// info: *RefusingLoaders$Plugin*that loader cannot be changed*
// count: 18 METHOD_ENTRY RefusingLoaders$Plugin.twice(
// agent: weave=CALL,i=java/lang/ClassLoader,i=java/lang/String
// agent: format=latest,weave=ALL
// agent: format=freq,weave=EXEC+CALL
// agent: control=off,e=RefusingLoaders
// agent: weave=ALL,redact=RefusingLoaders$Plugin.pin,logstart=RefusingLoaders.Plugin#twice##METHOD_ENTRY
public class RefusingLoaders {
    public static class Plugin implements Callable<Object> {
        static String pin;
        public Object call() {
            try {
                pin = "pin" + twice(2);
                synchronized (this) { return twice(pin.length()); }
            } catch (IllegalStateException e) {
                return e;
            }
        }
        static int twice(int x) { return 2 * x; }
    }
    static final Set<String> ALLOWED = Set.of("java.lang.Object", "java.lang.String", "java.lang.Integer",
        "java.util.concurrent.Callable", "java.lang.Throwable", "java.lang.IllegalStateException", "java.lang.Class",
        "java.lang.ClassNotFoundException", "java.lang.ClassLoader", "java.lang.invoke.StringConcatFactory",
        "java.lang.invoke.MethodHandles$Lookup", "java.lang.invoke.MethodHandles", "java.lang.invoke.MethodType",
        "java.lang.invoke.CallSite");

    /** Answers for the allowed names and for its own class; the rest is for the subclass to refuse. */
    abstract static class Strict extends ClassLoader {
        final Set<String> asked = new TreeSet<>();
        Strict() { super(null); }
        abstract Class<?> refuse(String name) throws ClassNotFoundException;
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return find(name);
        }
        final Class<?> find(String name) throws ClassNotFoundException {
            synchronized (asked) { asked.add(name); }
            if (ALLOWED.contains(name)) return Class.forName(name, false, null);
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            if (!name.startsWith("RefusingLoaders$")) return refuse(name);
            byte[] b = bytes(name);
            return defineClass(name, b, 0, b.length);
        }
    }
    static byte[] bytes(String name) throws ClassNotFoundException {
        try (InputStream in = RefusingLoaders.class.getResourceAsStream("/" + name + ".class")) {
            return in.readAllBytes();
        } catch (java.io.IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
    static class Throws extends Strict {
        Class<?> refuse(String name) throws ClassNotFoundException { throw new ClassNotFoundException(name); }
    }
    static class ReturnsNull extends Strict { Class<?> refuse(String name) { return null; } }
    static class ReturnsAnother extends Strict { Class<?> refuse(String name) { return Object.class; } }
    static class ThrowsUnchecked extends Strict {
        Class<?> refuse(String name) { throw new IllegalStateException("stopped: " + name); }
    }
    static class ThrowsError extends Strict { Class<?> refuse(String name) { throw new InternalError(name); } }
    static class Parallel extends Throws { static { registerAsParallelCapable(); } }
    /** Overrides what the JVM calls, which begins with a loop. */
    static class OwnMethod extends ReturnsNull {
        @Override public synchronized Class<?> loadClass(String name) throws ClassNotFoundException {
            do {
                if (name.length() < 4) throw new ClassNotFoundException(name);
            } while (asked.add(name));
            return find(name);
        }
    }
    static class OwnAgain extends OwnMethod {
        @Override public Class<?> loadClass(String name) throws ClassNotFoundException {
            try {
                return super.loadClass(name);
            } finally {
                asked.remove("java.util.Map");
            }
        }
    }
    /** Is loaded by a loader that refuses too. */
    public static class Inner extends ClassLoader implements Callable<Object> {
        public Object call() { return this; }
        @Override public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (!name.startsWith("RefusingLoaders$")) return outer(name);
            return find(name);
        }
        private Class<?> outer(String name) throws ClassNotFoundException {
            return ((ClassLoader) getClass().getClassLoader()).loadClass(name);
        }
        private Class<?> find(String name) throws ClassNotFoundException {
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            Object[] b = getSigners(name);
            return defineClass(name, (byte[]) b[0], 0, ((byte[]) b[0]).length);
        }
        static Object[] given;
        private Object[] getSigners(String name) { return given; }
    }
    /** As a hidden class it cannot be changed by an agent. */
    static class Lost extends ClassLoader {
        Lost() { super(null); }
        @Override public Class<?> loadClass(String name) throws ClassNotFoundException {
            if (!name.equals("RefusingLoaders$Plugin")) {
                if (!ALLOWED.contains(name)) throw new ClassNotFoundException(name);
                return Class.forName(name, false, null);
            }
            Class<?> c = findLoadedClass(name);
            if (c != null) return c;
            byte[] b = bytes(name);
            return defineClass(name, b, 0, b.length);
        }
    }

    static Object run(ClassLoader loader) throws Exception {
        Object o = loader.loadClass("RefusingLoaders$Plugin").getDeclaredConstructor().newInstance();
        return ((Callable<?>) o).call();
    }

    public static void main(String[] args) throws Exception {
        for (Strict l : List.of(new Throws(), new ReturnsNull(), new ReturnsAnother(), new ThrowsUnchecked(),
                 new ThrowsError(), new Parallel(), new OwnMethod(), new OwnAgain()))
            System.out.println(l.getClass().getSimpleName() + " " + run(l) + " " + l.asked);
        Strict outer = new Throws();
        Class<?> type = outer.loadClass("RefusingLoaders$Inner");
        ClassLoader inner = (ClassLoader) type.getDeclaredConstructor().newInstance();
        var given = type.getDeclaredField("given");
        given.setAccessible(true);
        given.set(null, new Object[] { bytes("RefusingLoaders$Plugin") });
        System.out.println("Inner " + run(inner) + " " + outer.asked);
        // programs may ask by themselves: then it is their loader that answers
        for (ClassLoader l : List.of(new Throws(), new ReturnsNull(), new Parallel()))
            try {
                System.out.println(Class.forName("no.such.Class", false, l));
            } catch (ClassNotFoundException e) {
                System.out.println(e.getMessage());
            }
        Class<?> lost = MethodHandles.lookup().defineHiddenClass(bytes("RefusingLoaders$Lost"), true).lookupClass();
        var make = lost.getDeclaredConstructor();
        make.setAccessible(true);
        System.out.println("Lost " + run((ClassLoader) make.newInstance()));
    }
}
