package mutable_key;

import java.util.HashMap;
import java.util.Map;

class Teams {
    static class Player {
        String name;

        Player(String name) {
            this.name = name;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Player && ((Player) other).name.equals(name);
        }
    }

    private final Map<Player, Integer> goals = new HashMap<>();

    void score(Player player) {
        goals.merge(player, 1, Integer::sum);
    }

    int goals(Player player) {
        return goals.getOrDefault(player, 0);
    }

    void rename(Player player, String name) {
        // repair mutable-key: Integer n = goals.remove(player); player.name = name; goals.put(player, n);
        player.name = name;
    }
}
