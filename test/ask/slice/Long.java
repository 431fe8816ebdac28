/** A value that is used before and behind long loops that do not use it: a slice forward passes over them (run.sh). */
public class Long {
    static final int[] counts = new int[64];

    static int place(int i) {
        return (i * 31 + 7) & 63;
    }

    static void count() {
        for (int i = 0; i < 80000; i++)
            counts[place(i)] += Math.max(i, 3);
    }

    public static void main(String[] args) {
        int x = Integer.parseInt("5");
        int y = x + 1;
        for (int i = 0; i < 80000; i++)
            counts[place(i)] += 2;
        count();
        System.out.println(y);
        count();
    }
}
