package endless_loop;

class Collatz {
    static int steps(long n) {
        int steps = 0;
        while (n != 1) {
            // repair wrong-operator: n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            n = n % 2 == 0 ? n / 2 : 3 * n - 1;
            steps++;
            if (steps > 100) throw new IllegalStateException("no end: " + n);
        }
        return steps;
    }
}
