package versions;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Finds the commit with which something went wrong. */
final class Bisect {
    private final Set<Commit> suspects;
    private int asked;

    /** Whatever is not before `good` and is before `bad` may be the one. */
    Bisect(Commit good, Commit bad) {
        if (!History.isBefore(good, bad))
            throw new IllegalArgumentException(good + " is not before " + bad);
        suspects = History.ancestors(bad);
        suspects.removeAll(History.ancestors(good));
    }

    int asked() {
        return asked;
    }

    Commit find(Predicate<Commit> isBad) {
        while (suspects.size() > 1) {
            Commit middle = middle();
            asked++;
            Set<Commit> before = History.ancestors(middle);
            if (isBad.test(middle))
                suspects.retainAll(before);
            else
                suspects.removeAll(before);
        }
        return suspects.iterator().next();
    }

    /** The commit that halves the suspects best. */
    private Commit middle() {
        Commit best = null;
        int distance = Integer.MAX_VALUE;
        for (Commit c : suspects) {
            List<Commit> before = new ArrayList<>(History.ancestors(c));
            before.retainAll(suspects);
            int away = Math.abs(2 * before.size() - suspects.size());
            if (away < distance && before.size() < suspects.size()) {
                distance = away;
                best = c;
            }
        }
        return best;
    }
}
