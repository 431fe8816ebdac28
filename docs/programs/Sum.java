/** A method of ten instructions: docs/how-it-works.md shows which of its events a trace stores. */
public class Sum {
    int total;

    int add(int by) {
        total += by;
        return by * 2;
    }

    public static void main(String[] args) {
        Sum sum = new Sum();
        sum.add(5);
    }
}
