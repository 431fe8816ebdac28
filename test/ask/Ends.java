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

// ask: hindsight tree --depth 1 T
// next: Ends.main(
// next: Ends.run(0) x8
// next: Ends.check(0) throws IllegalStateException#* x4
// next: Ends.check(4) throws IllegalArgumentException#* x2
// next: Ends.check(6) = 5 x2
// lines: 5
// ask: hindsight tree T
// answer: Ends.run(0) x4
// next: Ends.check(0) throws IllegalStateException#
// never: Ends.check(0) * x2
// next: Ends.run(4) x2
// next: Ends.check(4) throws IllegalArgumentException#
// next: Ends.run(6) x2
// next: Ends.check(6) = 5
// next: Ends.check(0) throws IllegalStateException#* x4
// next: Ends.check(4) throws IllegalArgumentException#* x2
// next: Ends.check(6) = 5 x2
// lines: 10
// ask: hindsight tree --fold equal --depth 1 T
// answer: Ends.check(0) throws IllegalStateException#* x2
// next: Ends.check(2) throws IllegalStateException#* x2
// next: Ends.check(4) throws IllegalArgumentException#* x2
// next: Ends.check(6) = 5 x2
// lines: 13
