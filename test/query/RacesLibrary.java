// Threads that only library code orders, other than by calls on one object of java.util.concurrent alone.
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class RacesLibrary {
    static int safeHandle, safeElement, safeAsked, safeTaken, safeCaught;
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

    static void interrupts() {
        Thread main = Thread.currentThread();
        started(() -> {
            safeAsked = 1;
            main.interrupt();
        });
        while (!main.isInterrupted()) Thread.onSpinWait();
        safeAsked++;
        Thread.interrupted();
        started(() -> {
            safeTaken = 1;
            main.interrupt();
        });
        while (!Thread.interrupted()) Thread.onSpinWait();
        safeTaken++;
        started(() -> {
            safeCaught = 1;
            main.interrupt();
        });
        try {
            Thread.sleep(100_000);
        } catch (InterruptedException e) {
            safeCaught++;
        }
    }

    public static void main(String[] args) throws Exception {
        handles();
        interrupts();
        System.out.println(safeHandle + safeElement + safeAsked + safeTaken + safeCaught);
    }
}
