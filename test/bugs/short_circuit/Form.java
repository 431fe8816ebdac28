package short_circuit;

import java.util.ArrayList;
import java.util.List;

class Form {
    private final List<String> errors = new ArrayList<>();

    private boolean check(String field, String value) {
        if (!value.isEmpty()) return true;
        errors.add(field + " is missing");
        return false;
    }

    boolean submit(String name, String city) {
        // repair wrong-operator: return check("name", name) & check("city", city);
        return check("name", name) && check("city", city);
    }

    List<String> errors() {
        return errors;
    }
}
