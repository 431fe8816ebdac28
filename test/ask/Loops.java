/** Loops whose rounds differ, a loop in a loop, and a method that is called twice: what `tree` folds. */
public class Loops {
    static int n;

    static void a() { n++; }

    static void b() { n += 2; }

    static void c() { n += 3; }

    static void inner(int times) {
        for (int i = 0; i < times; i++) {
            a();
            b();
        }
        c();
    }

    static void outer() { inner(2); }

    static int choose(int x) {
        int sum = 0;
        for (int i = 0; i < x; i++) {
            if (i % 3 == 0)
                sum += i;
            else
                sum -= 1;
        }
        return sum;
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            a();
            b();
        }
        inner(4);
        for (int i = 0; i < 6; i++) {
            a();
            if (i % 3 == 0)
                c();
            else
                b();
        }
        outer();
        choose(4);
        choose(7);
        choose(0);
    }
}
