import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Runs Recorded: in turns in two class loaders, once a file is there, or until the process kills itself. */
class Started {
    static void main(Class<?> c) throws Exception {
        Method main = c.getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        main.invoke(null, (Object) new String[0]);
    }

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
        case "loaders":
            URL[] classes = { new File(args[1]).toURI().toURL() };
            Class<?>[] both = new Class<?>[2];
            for (int i = 0; i < 2; i++)
                both[i] = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader()).loadClass("Recorded");
            Method[] all = both[0].getDeclaredMethods();
            long parts = Arrays.stream(all).filter(m -> m.getName().startsWith("part")).count();
            for (int i = 0; i < parts; i++)
                for (Class<?> c : both) {
                    Method part = c.getDeclaredMethod("part" + i);
                    part.setAccessible(true);
                    part.invoke(null);
                }
            break;
        case "attached":
            System.out.println("ready");
            while (!Files.exists(Path.of(args[1])))
                Thread.sleep(20);
            main(Class.forName("Recorded"));
            break;
        case "killed":
            main(Class.forName("Recorded"));
            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
            Thread.sleep(60000);
            break;
        }
    }
}
