import java.util.ArrayList;
import java.util.List;

/** What the tests of this folder look at, with a fault in each. */
public class Values {
    static int total(int... prices) {
        int total = 0;
        for (int i = 0; i < prices.length - 1; i++) // fault
            total += prices[i];
        return total;
    }

    static List<String> names() {
        List<String> names = new ArrayList<>();
        names.add("tea");
        names.add("cap"); // fault
        return names;
    }

    static String label(int number) {
        return "n" + number + " "; // fault
    }
}
