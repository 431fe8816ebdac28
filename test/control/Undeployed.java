import java.util.Scanner;
import java.util.concurrent.SynchronousQueue;

/**
 * A server that has stopped an application, whose class loader throws from then on, as that of Tomcat does; but a
 * thread of it still runs. Each line of standard input is for that thread.
 */
public class Undeployed {
    static final SynchronousQueue<Object> asked = new SynchronousQueue<>(), answers = new SynchronousQueue<>();
    public static Object next(Object answer) {
        try {
            if (answer != null) answers.put(answer);
            return asked.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static class Application extends Thread {
        private int n;
        @Override public void run() {
            for (Object o = next(null); o != null;)
                o = next(answer(o));
        }
        private Object answer(Object o) {
            try {
                return o + " " + ++n;
            } finally {
                n += step();
            }
        }
        private int step() { return 1; }
    }

    static class Loader extends ClassLoader {
        volatile boolean stopped;
        @Override public Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (stopped) throw new IllegalStateException("stopped, and asked for " + name);
            if (!name.equals("Undeployed$Application")) return super.loadClass(name, resolve);
            try (var in = Undeployed.class.getResourceAsStream("Undeployed$Application.class")) {
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Loader loader = new Loader();
        Thread t = (Thread) loader.loadClass("Undeployed$Application").getDeclaredConstructor().newInstance();
        t.setDaemon(true);
        t.start();
        asked.put("first");
        answers.take();
        loader.stopped = true;
        System.out.println("ready " + ProcessHandle.current().pid());
        for (Scanner in = new Scanner(System.in); in.hasNextLine();) {
            asked.put(in.nextLine());
            System.out.println(answers.take());
        }
    }
}
