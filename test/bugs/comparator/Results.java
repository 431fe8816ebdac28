package comparator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class Results {
    static class Runner {
        final String name;
        final int points, seconds;

        Runner(String name, int points, int seconds) {
            this.name = name;
            this.points = points;
            this.seconds = seconds;
        }
    }

    private static final Comparator<Runner> BEST =
            (a, b) -> {
                if (a.points != b.points) return b.points - a.points;
                // repair comparator: return a.seconds - b.seconds;
                return b.seconds - a.seconds;
            };
    private final List<Runner> runners = new ArrayList<>();

    void add(String name, int points, int seconds) {
        runners.add(new Runner(name, points, seconds));
    }

    String winner() {
        runners.sort(BEST);
        return runners.get(0).name;
    }
}
