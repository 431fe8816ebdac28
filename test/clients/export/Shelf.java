package shop.stock;

/**
 * For nod4j.sh: every word that begins with v_ is a variable that is read or written when the program runs, but for
 * fields that are declared without a value. Texts have quotes: "q", \"q\", and others: <ä>, \u2028.
 */
public class Shelf {
    static String v_label = "say \"hi\", \\ \t\n";
    static long v_large = Long.MAX_VALUE;
    double v_price;
    int[] v_counts = { 1, 2, 3 };

    Shelf(double v_start) {
        v_price = v_start;
    }

    int sum(
            int v_first,
            int v_second) {

        int v_total = v_first + v_second + v_first; // v_first again
        for (int v_i = 0; v_i < v_counts.length; v_i++) {
            v_total += v_counts[v_i];
        }
        v_total = v_total + v_total;
        return v_total;
    }

    static class Box {
        Object v_inside;

        Box put(Object v_what) { this.v_inside = v_what; return this; }
    }

    public static void main(String[] v_arguments) {
        Shelf v_shelf = new Shelf(0.1);
        v_shelf.v_price = v_shelf.v_price * 3;
        for (int v_round = 0; v_round < 40; v_round++) v_shelf.sum(v_round, 2);
        Box v_box = new Box().put(v_label).put(null).put(v_large);
        System.out.println(v_box.v_inside + " " + v_arguments.length);
    }
}
