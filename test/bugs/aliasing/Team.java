package aliasing;

import java.util.ArrayList;
import java.util.List;

class Team {
    private final String name;
    private final List<String> members;

    Team(String name, List<String> members) {
        this.name = name;
        // repair aliasing: this.members = new ArrayList<>(members);
        this.members = members;
    }

    void join(String member) {
        members.add(member);
    }

    String describe() {
        return name + ": " + String.join(", ", members);
    }
}
