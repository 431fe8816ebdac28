package wrong_default;

import java.util.Properties;
import java.util.function.BooleanSupplier;

class Retry {
    private final int attempts;

    Retry(Properties properties) {
        // repair wrong-default: attempts = Integer.parseInt(properties.getProperty("attempts", "3"));
        attempts = Integer.parseInt(properties.getProperty("attempts", "0"));
    }

    boolean run(BooleanSupplier action) {
        for (int i = 0; i < attempts; i++) if (action.getAsBoolean()) return true;
        return false;
    }
}
