// Change DIR CLASS: what its run() returns with each constant Ki changed alone, in a class of its own: "i result path"
// a line, "-" as they are. Three changes of each from 128 on: the result is mixed with XOR, in which one can cancel.
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

public class Change {
    static boolean run(URL[] urls, String name, int changed, int factor) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            Class<?> c = Class.forName(name, true, loader);
            if (changed >= 0) {
                Field f;
                try {
                    f = c.getDeclaredField("K" + changed);
                } catch (NoSuchFieldException e) {
                    return false;
                }
                f.setAccessible(true);
                int before = f.getInt(null); // an index stays one, what is compared with one of 0 to 127 as well
                f.setInt(null, before < 4 ? before ^ 1 : before < 128 ? before + 1 : before * factor + 0x5bd1e995);
            }
            var run = c.getDeclaredMethod("run");
            run.setAccessible(true);
            Object result = run.invoke(null);
            Field path = c.getDeclaredField("path");
            path.setAccessible(true);
            System.out.println((changed < 0 ? "-" : "" + changed) + " " + result + " " + path.getLong(null));
            return true;
        }
    }

    public static void main(String[] args) throws Exception {
        URL[] urls = {Path.of(args[0]).toUri().toURL()};
        for (int i = -1; run(urls, args[1], i, 31); i++)
            for (int factor = 37; i >= 0 && factor <= 41; factor += 4) run(urls, args[1], i, factor);
    }
}
