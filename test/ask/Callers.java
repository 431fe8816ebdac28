// record: weave=EXEC,timestamp=true
/** Methods that are called from several places, also by themselves, by each other and in two threads; some throw. */
class Callers {
    static int leaf(int n) {
        if (n % 7 == 3)
            throw new IllegalStateException("seven");
        return n;
    }

    static int guarded(int n) {
        try {
            return leaf(n);
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    static int fibonacci(int n) { return n < 2 ? leaf(0) : fibonacci(n - 1) + fibonacci(n - 2); }

    static boolean even(int n) { return n == 0 || odd(n - 1); }

    static boolean odd(int n) { return n != 0 && even(n - 1); }

    static int work(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++)
            sum += guarded(i) + leaf(2 * 7 * i) + (even(i % 5) ? 1 : 0);
        return sum + fibonacci(9);
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> work(20), "other");
        other.start();
        int sum = work(30);
        other.join();
        System.out.println(sum + guarded(3));
    }
}
