import java.util.Map;
import java.util.TreeMap;

/** A line with code in two places, and fields whose types are interfaces that are not recorded (Spots.java). */
public class Places {
    static int left;
    final Map<String, Integer> given;
    final TreeMap<String, Integer> own = new TreeMap<>();

    Places(Map<String, Integer> given) { this.given = given; }

    static int twice(int k) {
        try {
            return k * 2;
        } finally {
            left++;
        }
    }

    void put() { own.put("d", given.size()); }

    public static void main(String[] args) {
        Map<String, Integer> given = new TreeMap<>();
        given.put("a", 1);
        new Places(given).put();
        for (int k = 1; k <= 3; k++)
            twice(k * 10);
    }
}
