import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.*;
import java.util.Arrays;
import java.util.Comparator;

/** Weaving does not show: members, modifiers, annotations, parameter names, records, nests, serialVersionUID. */
// javac: -g -parameters --release 17
// agent: weave=ALL
public class ReflectionView {
    @Retention(RetentionPolicy.RUNTIME) @interface Mark { String value(); int n() default 3; }
    @Mark("class") static class Plain implements Serializable {
        @Mark("field") private transient int a; protected static final long B = 5; volatile String c;
        static { System.out.println("Plain"); }
        @Mark("method")
        synchronized int work(@Mark("p") int first, String... rest) throws Exception {
            return first + rest.length;
        }
        private static void hidden() { }
    }
    record Pair<T>(int left, T right) { Pair { if (left < 0) throw new IllegalArgumentException(); } }
    enum Kind { ONE { int f() { return 1; } }, TWO; int f() { return 2; } }
    sealed interface Shape permits Square { default int area() { return 1; } }
    static final class Square implements Shape { }

    static void show(Class<?> c) throws Exception {
        System.out.println(c.toGenericString() + " " + Arrays.toString(c.getAnnotations()));
        Field[] f = c.getDeclaredFields(); Arrays.sort(f, Comparator.comparing(Field::toString));
        for (Field x : f) System.out.println("  " + x.toGenericString() + " " + Arrays.toString(x.getAnnotations()));
        Method[] m = c.getDeclaredMethods(); Arrays.sort(m, Comparator.comparing(Method::toString));
        for (Method x : m)
            System.out.println("  " + x.toGenericString() + " " + x.isSynthetic() + " "
                + Arrays.toString(x.getAnnotations()) + Arrays.toString(x.getParameters())
                + Arrays.deepToString(x.getParameterAnnotations()));
        Constructor<?>[] k = c.getDeclaredConstructors(); Arrays.sort(k, Comparator.comparing(Constructor::toString));
        for (Constructor<?> x : k) System.out.println("  " + x.toGenericString() + Arrays.toString(x.getParameters()));
        if (Serializable.class.isAssignableFrom(c))
            System.out.println("  uid " + ObjectStreamClass.lookupAny(c).getSerialVersionUID());
        System.out.println("  " + c.getNestHost() + " " + c.isRecord() + " "
            + Arrays.toString(c.getPermittedSubclasses()) + " " + Modifier.toString(c.getModifiers()) + " "
            + (c.getRecordComponents() == null ? "" : Arrays.toString(c.getRecordComponents())) + " "
            + c.getEnclosingMethod());
    }
    public static void main(String[] args) throws Exception {
        class Local { int x = args.length; }
        for (Class<?> c : new Class<?>[] {Plain.class, Pair.class, Kind.class, Kind.ONE.getClass(), Shape.class,
            Square.class, Local.class, ReflectionView.class})
            show(c);
        System.out.println(Plain.class.getDeclaredMethod("work", int.class, String[].class)
            .invoke(new Plain(), 4, new String[] {"x", "y"}));
        System.out.println(new Pair<>(1, "r") + " " + new Pair<>(1, "r").equals(new Pair<>(1, "r")) + " "
            + (new Pair<>(1, "r").hashCode() == new Pair<>(1, "r").hashCode()));
        try {
            Pair.class.getDeclaredConstructor(int.class, Object.class).newInstance(-1, null);
        } catch (InvocationTargetException e) { System.out.println(e.getCause()); }
    }
}
