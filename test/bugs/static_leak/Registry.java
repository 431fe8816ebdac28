package static_leak;

import java.util.ArrayList;
import java.util.List;

class Registry {
    // repair static-state: private final List<String> names = new ArrayList<>();
    private static final List<String> names = new ArrayList<>();

    void register(String name) {
        names.add(name);
    }

    int count() {
        return names.size();
    }
}
