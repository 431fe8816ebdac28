/** Compiled without names of local variables. */
class Nameless {
    int total = 5;

    int add(int n, String s) {
        int k = n * 2;
        total += k;
        at(k);
        return total;
    }

    static void at(int k) {
    }

    public static void main(String[] args) {
        new Nameless().add(4, "x");
    }
}

class Never {
    static int f = 3;

    Never(int x) {
    }
}
