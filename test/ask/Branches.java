/**
 * Local variables that are assigned in every branch and read behind them: their names have several ranges in the class
 * file. And one that every round of a loop has anew.
 */
public class Branches {
    static int use(String name, int size) { return name.length() + size; }

    static int pick(int n) {
        int size;
        String name;
        switch (n) {
        case 1: size = 10; name = "ten"; break;
        case 2: size = 20; name = "twenty"; break;
        default: size = 0; name = "none"; break;
        }
        for (int i = 0; i < 2; i++)
            size += i;
        return use(name, size);
    }

    static int tries(int n) {
        int failed = 0;
        for (int i = 0; i < n; i++) {
            try {
                use(null, i);
            } catch (NullPointerException error) {
                failed += error.getSuppressed().length + 1;
            }
        }
        return failed;
    }

    public static void main(String[] args) {
        tries(2);
        System.out.println(pick(1) + pick(2) + pick(3));
    }
}
