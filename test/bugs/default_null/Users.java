package default_null;

import java.util.HashMap;
import java.util.Map;

class Users {
    static class User {
        final String name;
        String city;

        User(String name) {
            this.name = name;
        }
    }

    private final Map<String, User> users = new HashMap<>();

    User register(String name) {
        // repair default-null: User user = new User(name); user.city = "unknown";
        User user = new User(name);
        users.put(name, user);
        return user;
    }

    void move(String name, String city) {
        users.get(name).city = city;
    }

    User find(String name) {
        return users.get(name);
    }
}
