import java.lang.reflect.Proxy;

/** Classes that are made while the program runs: by the JDK a proxy of an interface of the program, and one of an
 * interface of the JDK; by a loader that does not say the name of what it defines, as JAXP's, Made. */
public class Proxies {
    interface Greeter { String greet(String who); }
    static <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] { type },
                (self, method, arguments) -> arguments == null ? null : "hello " + arguments[0]));
    }
    public static class Made implements Runnable {
        public void run() { }
    }
    static class Loader extends ClassLoader {
        Class<?> make() throws Exception {
            byte[] bytes = Proxies.class.getResourceAsStream("Proxies$Made.class").readAllBytes();
            return defineClass(null, bytes, 0, bytes.length);
        }
    }
    public static void main(String[] a) throws Exception {
        ((Runnable) new Loader().make().getConstructor().newInstance()).run();
        Greeter greeter = proxy(Greeter.class);
        Runnable task = proxy(Runnable.class);
        for (int i = 0; i < 20; i++) task.run();
        System.out.println(greeter.greet("you"));
    }
}
