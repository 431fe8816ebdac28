import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * A class whose own name, field, local variable and source file are markup, which the JVM allows: Template with other
 * names of the same length. A lock, a race and an exception bring them to the reports.
 */
public class HostileNames {
    static final String[][] NAMES = {
        { "HostileNames$Template_____________", "<img src=x onerror=hit(1)><script>" },
        { "field________________________", "<img src=x onerror=hit(2)><b>" },
        { "local________________________", "<img src=x onerror=hit(3)><b>" },
        { "HostileNames.java", "<svg><b>\"'&.java" },
    };

    public static class Template_____________ implements Runnable {
        Object field________________________;

        @Override
        public void run() {
            String local________________________ = "<script>hit(4)</script>";
            synchronized (HostileNames.class) {
                synchronized (this) {
                    field________________________ = local________________________;
                }
            }
            field________________________ = null;
            throw new IllegalStateException("<svg onload=hit(5)>");
        }
    }

    static byte[] renamed(byte[] file) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        for (String[] n : NAMES)
            text = text.replace(n[0], n[1] + " ".repeat(n[0].length() - n[1].length()));
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] file) {
            return defineClass(null, file, 0, file.length);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] file;
        try (InputStream in = HostileNames.class.getResourceAsStream(NAMES[0][0] + ".class")) {
            file = in.readAllBytes();
        }
        Class<?> c = new Loader().define(renamed(file));
        Runnable r = (Runnable) c.getConstructor().newInstance();
        Thread[] threads = {
            new Thread(r, "<script>hit(6)</script>"), new Thread(r, "</title><img src=x onerror=hit(7)>")
        };
        for (Thread t : threads) {
            t.setUncaughtExceptionHandler((of, e) -> { });
            t.start();
        }
        for (Thread t : threads)
            t.join();
    }
}
