package regex;

import java.util.Map;

/** Where a pattern has matched. */
final class Match {
    private final String text;
    private final int[] groups;
    private final Map<String, Integer> names;

    Match(String text, int[] groups, Map<String, Integer> names) {
        this.text = text;
        this.groups = groups;
        this.names = names;
    }

    int begin() {
        return groups[0];
    }

    int end() {
        return groups[1];
    }

    int count() {
        return groups.length / 2 - 1;
    }

    /** null: the group has not matched. */
    String group(int number) {
        if (number < 0 || number > count())
            throw new IndexOutOfBoundsException("there is no group " + number);
        return groups[2 * number + 1] < 0 ? null : text.substring(groups[2 * number], groups[2 * number + 1]);
    }

    String group(String name) {
        Integer number = names.get(name);
        if (number == null)
            throw new IllegalArgumentException("there is no group " + name);
        return group(number);
    }

    @Override
    public String toString() {
        return group(0);
    }
}
