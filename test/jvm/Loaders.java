import java.io.IOException;
import java.io.InputStream;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;

/**
 * A class loader of the program is woven, and the JVM asks it wherever a class of it first names another: between any
 * two instructions. derive.sh compares its events with those of derive=off.
 */
// agent: weave=ALL
// agent: weave=ALL,derive=on
// expect: METHOD_ENTRY Loaders$In.instance(
// expect: OBJECT_INSTANCEOF Loaders$In.instance(
// next: METHOD_ENTRY Loaders.loadClass(
public class Loaders extends ClassLoader {
    public static int asked, own = 5;

    @Override
    public Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        asked++;
        if (name.equals("Loaders$In$Gone")) throw new ClassNotFoundException(name);
        if (!name.startsWith("Loaders$In")) return super.loadClass(name, resolve);
        Class<?> c = findLoadedClass(name);
        if (c != null) return c;
        try (InputStream in = getResourceAsStream(name + ".class")) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            Class<?> c = new Loaders().loadClass("Loaders$In", false);
            System.out.println(c.getMethod("run", int.class).invoke(null, i));
        }
    }

    public static class In {
        static class A { int f = 3; static int s = 4; }
        static class B { }
        static class C { }
        static class D { }
        static class E { }
        static class F extends A { }
        static class G { G(int k) { } }
        static class Gone { }
        interface H { }
        static class I implements H { static int n = 7; static { n += asked > 0 ? 1 : 2; } }

        /* With `gone` in one class, the JVM would ask for their exceptions in the order of symbols in its memory. */
        static class Typed {
            static int typed(int[] a, int k) {
                int t = k;
                t += 3;
                try {
                    t += a[t];
                } catch (IllegalStateException | ArrayIndexOutOfBoundsException e) {
                    t += 20;
                }
                return t;
            }
        }

        static int literal(int k) { int t = k; t += 3; Class<?> c = B.class; t++; return c == null ? 0 : t; }
        static int instance(Object o, int k) { int t = k; t += 3; boolean b = o instanceof C; t++; return b ? t : 1; }
        static int array(int k) { int t = k; t += 3; Object b = new D[t]; t++; return b == null ? 0 : t; }
        static int arrays(int k) { int t = k; t += 3; Object b = new E[t][2]; t++; return b == null ? 0 : t; }
        static int cast(Object o, int k) { int t = k; t += 3; H e = (H) o; t++; return e == null ? t : 0; }
        static int field(int k) { int t = k; t += 3; A f = new F(); t += f.f; t++; f.f = t; return t + f.f; }
        static int statics(int k) { int t = k; t += 3; t += A.s; A.s = t; t += I.n; return t; }
        static int created(int k) { int t = k; t += 3; Object o = new G(t + 1); t++; return o == null ? 0 : t; }
        static int jdk(int k) { int t = k; t += 3; Object o = new BitSet(t); t++; return o instanceof Deque ? 0 : t; }
        static int goneUp(Object o, int k) { int t = k; t += 4; boolean b = o instanceof Gone; return b ? t : 1; }

        static int gone(Object o, int k) {
            int t = k;
            t += 3;
            try {
                t += o instanceof Gone ? 1 : 2;
            } catch (NoClassDefFoundError e) {
                t += 10;
            }
            return t;
        }

        static int any(int[] a, int k) {
            int t = k;
            t += 3;
            try {
                t += a[t];
            } finally {
                t += 30;
                own += t;
            }
            return t;
        }

        static int lambda(int k) {
            int t = k;
            t += 3;
            Comparator<A> c = (p, q) -> p.f - q.f;
            t++;
            return c == null ? 0 : t;
        }

        public static int run(int k) {
            int[] a = new int[2];
            int s = literal(k) + instance("", k) + array(k) + arrays(k) + cast(null, k) + field(k) + statics(k);
            s += created(k) + jdk(k) + gone("", k) + Typed.typed(a, k) + lambda(k);
            try {
                s += any(a, k);
            } catch (RuntimeException e) {
                s += 40;
            }
            try {
                s += goneUp("", k);
            } catch (LinkageError e) {
                s += 50;
            }
            return s;
        }
    }
}
