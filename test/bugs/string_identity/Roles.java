package string_identity;

import java.util.ArrayList;
import java.util.List;

class Roles {
    private final List<String> roles = new ArrayList<>();

    Roles(String text) {
        for (String role : text.split(";")) roles.add(role.trim());
    }

    boolean has(String wanted) {
        for (String role : roles) {
            // repair identity: if (role.equals(wanted)) return true;
            if (role == wanted) return true;
        }
        return false;
    }
}
