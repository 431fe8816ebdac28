import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarFile;

/** InVirtual MAIN|-jar FILE ARGUMENT...: the program as it is, but that its main runs in a virtual thread. */
public class InVirtual {
    private static Method mainOf(Class<?> c) throws NoSuchMethodException {
        try {
            return c.getMethod("main", String[].class);
        } catch (NoSuchMethodException e) { // from JDK 25 on it needs no arguments
            return c.getDeclaredMethod("main");
        }
    }

    public static void main(String[] args) throws Throwable {
        boolean jar = args[0].equals("-jar");
        String name = args[0];
        if (jar)
            try (JarFile file = new JarFile(args[1])) {
                name = file.getManifest().getMainAttributes().getValue("Main-Class");
            }
        String[] rest = java.util.Arrays.copyOfRange(args, jar ? 2 : 1, args.length);
        Method main = mainOf(Class.forName(name, true, ClassLoader.getSystemClassLoader()));
        main.setAccessible(true);
        Object[] arguments = main.getParameterCount() == 0 ? new Object[0] : new Object[] { rest };
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.ofVirtual().name("main").start(() -> {
            try {
                main.invoke(null, arguments);
            } catch (InvocationTargetException e) {
                thrown.set(e.getCause());
            } catch (IllegalAccessException e) {
                thrown.set(e);
            }
        }).join();
        if (thrown.get() != null)
            throw thrown.get();
    }
}
