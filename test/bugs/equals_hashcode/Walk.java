package equals_hashcode;

import java.util.HashSet;
import java.util.Set;

class Walk {
    private final Set<Point> visited = new HashSet<>();
    private int x, y;

    Walk go(String way) {
        visited.add(new Point(x, y));
        for (char step : way.toCharArray()) {
            if (step == 'N') y++;
            if (step == 'S') y--;
            if (step == 'E') x++;
            if (step == 'W') x--;
            visited.add(new Point(x, y));
        }
        return this;
    }

    int places() {
        return visited.size();
    }
}
