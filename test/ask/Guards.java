// Who holds which monitor: synchronized blocks, entered twice, left by an exception; synchronized methods, static and
// not; and monitors held over so many events that the answer lies chunks back.
public class Guards {
    private final Object gate = new Object();
    private int total;

    static int mark(int n) { return n; }

    static int spin(int n) {
        int x = 1;
        for (int i = 0; i < n; i++)
            x = x * 31 + i;
        return x;
    }

    synchronized int add(int n) {
        total += spin(n);
        return mark(1);
    }

    static synchronized void all(Guards g) {
        synchronized (g.gate) {
            synchronized (g.gate) {
                mark(2);
            }
            mark(3);
            g.add(60000);
        }
        mark(4);
    }

    void fails() {
        try {
            synchronized (gate) {
                mark(5);
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            mark(6);
        }
    }

    public static void main(String[] args) {
        Guards g = new Guards();
        all(g);
        g.fails();
        mark(7);
    }
}
