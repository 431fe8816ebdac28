import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/**
 * Defines a class slowly: the JVM has read Sub, and asks its loader for Base, which waits. What it is told on standard
 * input:
 *
 *     begin   another thread begins to define Sub; answers "begun" when the JVM asks for Base
 *     finish  lets it have Base; answers "defined"
 *     call    calls Sub.step, answers "called"
 */
public class Late {
    public static class Base {
        public int base() { return 1; }
    }

    public static class Sub extends Base {
        public int step(int n) { return n + base(); }
    }

    private static final CountDownLatch asked = new CountDownLatch(1), finish = new CountDownLatch(1);

    static final class Loader extends ClassLoader {
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Late$")) return super.loadClass(name, resolve);
            if (name.equals("Late$Base")) {
                asked.countDown();
                try {
                    finish.await();
                } catch (InterruptedException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            synchronized (this) {
                Class<?> c = findLoadedClass(name);
                if (c != null) return c;
                try (InputStream in = Late.class.getResourceAsStream("/" + name + ".class")) {
                    byte[] bytes = in.readAllBytes();
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Object[] made = new Object[1];
        Thread thread = new Thread(() -> {
            try {
                made[0] = new Loader().loadClass("Late$Sub").getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        System.out.println("ready " + ProcessHandle.current().pid());
        StringBuilder line = new StringBuilder();
        for (int c; (c = System.in.read()) >= 0;) {
            if (c != '\n') {
                line.append((char) c);
                continue;
            }
            switch (line.toString()) {
            case "begin":
                thread.start();
                asked.await();
                System.out.println("begun");
                break;
            case "finish":
                finish.countDown();
                thread.join();
                System.out.println("defined");
                break;
            case "call":
                System.out.println("called " + made[0].getClass().getMethod("step", int.class).invoke(made[0], 41));
                break;
            default:
                return;
            }
            line.setLength(0);
        }
    }
}
