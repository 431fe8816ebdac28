import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CyclicBarrier;

/** Messages by class initialisation: who asks for an initialised class sees what its initialiser wrote (JLS 12.4.2). */
// divide: 40
public class LitmusClassInit {
    public static int round;

    public static int send(int i) { return i; }
    static int recv(int i) { return i; }

    /** Defined anew in a loader of its own for each round. */
    public static class Cell {
        static int data;
        static { data = LitmusClassInit.send(LitmusClassInit.round); }
        public static int get() { return data; }
    }

    static class Loader extends ClassLoader {
        final byte[] bytes;
        Loader(byte[] bytes) { super(LitmusClassInit.class.getClassLoader()); this.bytes = bytes; }
        @Override protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("LitmusClassInit$Cell")) return super.loadClass(name, resolve);
            Class<?> c = findLoadedClass(name);
            return c != null ? c : defineClass(name, bytes, 0, bytes.length);
        }
    }

    static volatile MethodHandle get;

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        byte[] bytes;
        try (var in = LitmusClassInit.class.getResourceAsStream("LitmusClassInit$Cell.class")) {
            bytes = in.readAllBytes();
        }
        CyclicBarrier barrier = new CyclicBarrier(2);
        Thread other = new Thread(() -> {
            try {
                for (int i = 1; i <= rounds; i++) {
                    barrier.await();
                    recv((int) get.invokeExact());
                    barrier.await();
                }
            } catch (Throwable e) { throw new IllegalStateException(e); }
        });
        other.start();
        for (int i = 1; i <= rounds; i++) {
            round = i;
            Class<?> cell = new Loader(bytes).loadClass("LitmusClassInit$Cell");
            get = MethodHandles.lookup().findStatic(cell, "get", MethodType.methodType(int.class));
            barrier.await();
            recv(callGet());
            barrier.await();
        }
        other.join();
        System.out.println("done " + round);
    }

    static int callGet() {
        try { return (int) get.invokeExact(); } catch (Throwable e) { throw new IllegalStateException(e); }
    }
}
