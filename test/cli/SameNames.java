// The test gives the three fields one name.
public class SameNames {
    int x_int;
    long x_long;
    String x_text;

    void set(int n, String text) {
        x_int = n;
        x_long = 10L * n;
        x_text = text;
    }

    public static void main(String[] args) throws Exception {
        SameNames s = new SameNames();
        s.set(1, "a");
        s.set(2, "b");
        SameNames shared = new SameNames();
        Thread a = new Thread(() -> shared.x_int = 3), b = new Thread(() -> shared.x_long = 4);
        a.start();
        b.start();
        a.join();
        b.join();
        System.out.println(s.x_int + s.x_long + s.x_text);
    }
}
