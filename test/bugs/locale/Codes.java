package locale;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

class Codes {
    private final Map<String, Integer> codes = new HashMap<>();

    void define(String name, int code) {
        codes.put(name, code);
    }

    int of(String name) {
        // repair locale: return codes.getOrDefault(name.toUpperCase(Locale.ROOT), -1);
        return codes.getOrDefault(name.toUpperCase(Locale.forLanguageTag("tr")), -1);
    }
}
