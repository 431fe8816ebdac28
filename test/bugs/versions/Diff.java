package versions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The shortest way from one text to another, after Myers: An O(ND) Difference Algorithm. */
final class Diff {
    private final List<String> a;
    private final List<String> b;

    private Diff(List<String> a, List<String> b) {
        this.a = a;
        this.b = b;
    }

    static List<Edit> of(List<String> a, List<String> b) {
        return joined(new Diff(a, b).steps());
    }

    /** Single lines, in order. */
    private List<Edit> steps() {
        int max = a.size() + b.size();
        int[] furthest = new int[2 * max + 2];
        List<int[]> trace = new ArrayList<>();
        for (int d = 0; d <= max; d++) {
            trace.add(furthest.clone());
            for (int k = -d; k <= d; k += 2) {
                int x = down(furthest, max, d, k) ? furthest[max + k + 1] : furthest[max + k - 1] + 1;
                int y = x - k;
                while (x < a.size() && y < b.size() && a.get(x).equals(b.get(y))) {
                    x++;
                    y++;
                }
                furthest[max + k] = x;
                if (x >= a.size() && y >= b.size())
                    return walkBack(trace, max, d);
            }
        }
        throw new IllegalStateException("no way from one text to the other");
    }

    private static boolean down(int[] furthest, int max, int d, int k) {
        return k == -d || (k != d && furthest[max + k - 1] < furthest[max + k + 1]);
    }

    private List<Edit> walkBack(List<int[]> trace, int max, int last) {
        List<Edit> steps = new ArrayList<>();
        int x = a.size();
        int y = b.size();
        for (int d = last; d >= 0; d--) {
            int[] furthest = trace.get(d);
            int k = x - y;
            boolean down = down(furthest, max, d, k);
            int beforeK = down ? k + 1 : k - 1;
            int beforeX = d == 0 ? 0 : furthest[max + beforeK];
            int beforeY = d == 0 ? 0 : beforeX - beforeK;
            while (x > beforeX && y > beforeY) {
                x--;
                y--;
                steps.add(new Edit(Edit.Kind.SAME, x, y, 1));
            }
            if (d == 0)
                break;
            steps.add(down ? new Edit(Edit.Kind.ADDED, beforeX, beforeY, 1)
                           : new Edit(Edit.Kind.REMOVED, beforeX, beforeY, 1));
            x = beforeX;
            y = beforeY;
        }
        Collections.reverse(steps);
        return steps;
    }

    private static List<Edit> joined(List<Edit> steps) {
        List<Edit> edits = new ArrayList<>();
        for (Edit step : steps) {
            Edit last = edits.isEmpty() ? null : edits.get(edits.size() - 1);
            if (last != null && last.kind() == step.kind())
                edits.set(edits.size() - 1,
                        new Edit(last.kind(), last.oldLine(), last.newLine(), last.count() + 1));
            else
                edits.add(step);
        }
        return edits;
    }
}
