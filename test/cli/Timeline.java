import java.util.concurrent.CountDownLatch;

/**
 * Two threads take turns. Every call prints its method, number and the open calls of its thread, outermost first, while
 * nothing else runs: what latest --merged shows is the end of it.
 */
class Timeline {
    static final Object turn = new Object();
    static final CountDownLatch entered = new CountDownLatch(2);
    static final Thread other = new Thread(Timeline::second, "other");
    static int next, number;
    static final ThreadLocal<String> open = ThreadLocal.withInitial(() -> "");

    static void enter(String method, int n) {
        open.set(open.get() + " " + method + ":" + n);
        System.out.println("enter" + open.get());
    }

    static void leave() { open.set(open.get().substring(0, open.get().lastIndexOf(' '))); }

    static void leaf(int n) {
        enter("leaf", n);
        leave();
    }

    static void middle(int n) {
        enter("middle", n);
        leaf(number++);
        if (n % 3 == 0)
            leaf(number++);
        leave();
    }

    static void recursive(int n, int depth) {
        enter("recursive", n);
        if (depth > 0)
            recursive(number++, depth - 1);
        else
            throwing(number++);
        leave();
    }

    static void throwing(int n) {
        enter("throwing", n);
        try {
            thrower(number++);
        } catch (IllegalStateException e) {
            leaf(number++);
        }
        leave();
    }

    static void thrower(int n) {
        enter("thrower", n);
        leave();
        throw new IllegalStateException();
    }

    static void round(int n, int me) {
        enter("round", n);
        middle(number++);
        if (n % 4 < 2)
            recursive(number++, 2);
        leave();
    }

    static void rare(int n, int me) throws InterruptedException {
        enter("rare", n);
        if (me == 0)
            other.start();
        entered.countDown();
        entered.await();
        for (int i = 0; i < 12; i++)
            takeTurn(me);
        leave();
    }

    static void takeTurn(int me) {
        synchronized (turn) {
            while (next % 2 != me)
                try {
                    turn.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            round(number++, me);
            next++;
            turn.notifyAll();
        }
    }

    static void second() {
        try {
            rare(1000000, 1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        rare(2000000, 0);
        other.join();
    }
}
