import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Random runs, one for each seed, with things that happen in some of them: model.py says which. */
public class Runs {
    static class Box {
        int count;
        String label;
        double weight;

        void put(int n, String text) {
            count = n;
            label = text;
            weight = n == 3 ? Double.NaN : n - 2.5;
        }
    }

    static int sign(int n) {
        if (n > 4)
            return 1;
        return n < 2 ? -1 : 0;
    }

    static String name(int n) {
        switch (n) {
            case 1:
                return "one";
            case 2:
                return "";
            case 5:
                return null;
            default:
                return "n" + n;
        }
    }

    static void check(int n) {
        if (n == 6)
            throw new IllegalStateException("six");
        if (n == 7)
            Integer.parseInt("seven");
    }

    static boolean rare(Map<String, Integer> seen, int n) {
        return seen.containsKey("n" + n);
    }

    public static void main(String[] args) {
        int seed = Integer.parseInt(args[0]), rounds = args.length > 1 ? Integer.parseInt(args[1]) : 4;
        java.util.Random random = new java.util.Random(seed);
        Map<String, Integer> seen = new HashMap<>();
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            int n = random.nextInt(9);
            Box box = new Box();
            box.put(n, name(n));
            list.add(sign(n));
            try {
                check(n);
            } catch (IllegalStateException e) {
                list.add(e.getMessage().length());
            }
            if (rare(seen, n))
                seen.clear();
            seen.put(box.label, i);
        }
    }
}
