/** An invoice whose total is below zero: docs/how-to.md finds the multiplication that wrapped. */
public class Invoice {
    static long total(int[] cents, int[] pieces) {
        long total = 0;
        for (int i = 0; i < cents.length; i++)
            total += cents[i] * pieces[i];
        return total;
    }

    public static void main(String[] args) {
        int[] cents = { 1250, 499, 89900 }, pieces = { 100, 2500, 30000 };
        System.out.println("total " + total(cents, pieces) / 100);
    }
}
