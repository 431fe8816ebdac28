// One method that ends in several ways: calls of different ends are not one call made several times.
public class Ends {
    static int check(int n) {
        if (n < 2) throw new IllegalStateException("small");
        if (n < 4) throw new IllegalStateException("less small");
        if (n < 6) throw new IllegalArgumentException("odd");
        return 5;
    }

    static void run(int n) {
        try {
            check(n);
        } catch (RuntimeException e) {
            return;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 8; i++) run(i);
        for (int i = 0; i < 8; i++)
            try {
                check(i / 2 * 2);
            } catch (RuntimeException e) {
                continue;
            }
    }
}
