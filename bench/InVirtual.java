import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarFile;

/** InVirtual MAIN|-jar FILE ARGUMENT...: the program as it is, but that its main runs in a virtual thread. */
public class InVirtual {
    public static void main(String[] args) throws Throwable {
        boolean jar = args[0].equals("-jar");
        String name = args[0];
        if (jar)
            try (JarFile file = new JarFile(args[1])) {
                name = file.getManifest().getMainAttributes().getValue("Main-Class");
            }
        String[] rest = java.util.Arrays.copyOfRange(args, jar ? 2 : 1, args.length);
        Method main = Class.forName(name, true, ClassLoader.getSystemClassLoader()).getMethod("main", String[].class);
        main.setAccessible(true);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread.ofVirtual().name("main").start(() -> {
            try {
                main.invoke(null, (Object) rest);
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
