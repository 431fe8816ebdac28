package wrong_key;

import java.util.HashMap;
import java.util.Map;

class Phones {
    private final Map<String, String> numbers = new HashMap<>();

    private static String key(String name) {
        return name.trim().toLowerCase();
    }

    void put(String name, String number) {
        // repair wrong-key: numbers.put(key(name), number);
        numbers.put(name.toLowerCase(), number);
    }

    String get(String name) {
        String number = numbers.get(key(name));
        return number.replace(" ", "");
    }
}
