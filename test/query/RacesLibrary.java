// Threads that only library code orders, other than by calls on one object of java.util.concurrent alone.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class RacesLibrary {
    static int safeHandle, safeElement;
    static int racyOpaque;
    static int flag, opaque;
    static final VarHandle FLAG, OPAQUE, ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

    static {
        try {
            FLAG = MethodHandles.lookup().findStaticVarHandle(RacesLibrary.class, "flag", int.class);
            OPAQUE = MethodHandles.lookup().findStaticVarHandle(RacesLibrary.class, "opaque", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    static Thread started(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    static void handles() {
        started(() -> {
            safeHandle = 1;
            FLAG.setRelease(1);
        });
        while ((int) FLAG.getAcquire() == 0) Thread.onSpinWait();
        safeHandle++;
        int[] array = new int[2];
        started(() -> {
            safeElement = 1;
            ELEMENT.compareAndSet(array, 1, 0, 1);
        });
        while ((int) ELEMENT.getVolatile(array, 1) == 0) Thread.onSpinWait();
        safeElement++;
        started(() -> {
            racyOpaque = 1;
            OPAQUE.setOpaque(1);
        });
        while ((int) OPAQUE.getOpaque() == 0) Thread.onSpinWait();
        racyOpaque++;
    }

    public static void main(String[] args) throws Exception {
        handles();
        System.out.println(safeHandle + safeElement);
    }
}
