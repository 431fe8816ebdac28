package swallowed_exception;

import java.util.HashMap;
import java.util.Map;

class Settings {
    private final Map<String, String> values = new HashMap<>();

    Settings(String text) {
        for (String line : text.split("\n")) {
            int equals = line.indexOf('=');
            values.put(line.substring(0, equals).trim(), line.substring(equals + 1));
        }
    }

    int number(String key, int otherwise) {
        try {
            // repair swallowed-exception: return Integer.parseInt(values.get(key).trim());
            return Integer.parseInt(values.get(key));
        } catch (RuntimeException e) {
            return otherwise;
        }
    }
}
