package scheduler;

import java.util.BitSet;

/** A part of a timetable: which numbers of a range are in it. "*", "5", "1-5", "0,30", "*"+"/15", "Mo-Fr". */
final class Field {
    private final String text;
    private final int least;
    private final int most;
    private final BitSet set = new BitSet();

    private Field(String text, int least, int most) {
        this.text = text;
        this.least = least;
        this.most = most;
    }

    static Field parse(String text, int least, int most, boolean weekdays) {
        Field field = new Field(text, least, most);
        for (String part : text.split(",", -1))
            field.add(part, weekdays);
        return field;
    }

    private void add(String part, boolean weekdays) {
        int slash = part.indexOf('/');
        int step = slash < 0 ? 1 : number(part.substring(slash + 1), false);
        String range = slash < 0 ? part : part.substring(0, slash);
        if (step < 1)
            throw bad(part);
        int dash = range.indexOf('-');
        int from;
        int to;
        if (range.equals("*")) {
            from = least;
            to = most;
        } else if (dash < 0) {
            from = number(range, weekdays);
            to = slash < 0 ? from : most;
        } else {
            from = number(range.substring(0, dash), weekdays);
            to = number(range.substring(dash + 1), weekdays);
        }
        if (from < least || from > most || to < least || to > most)
            throw bad(part);
        if (to < from) { // around the end, as Sa-Mo
            addSteps(from, most, step);
            addSteps(least, to, step);
        } else {
            addSteps(from, to, step);
        }
    }

    private void addSteps(int from, int to, int step) {
        for (int n = from; n <= to; n += step)
            set.set(n);
    }

    private static int number(String text, boolean weekdays) {
        if (weekdays && !text.isEmpty() && Character.isLetter(text.charAt(0)))
            return Clock.weekdayOf(text);
        return Integer.parseInt(text);
    }

    private IllegalArgumentException bad(String part) {
        return new IllegalArgumentException("'" + part + "' of '" + text + "' is not from " + least + " to " + most);
    }

    boolean has(int number) {
        return set.get(number);
    }

    boolean isEvery() {
        return set.cardinality() == most - least + 1;
    }

    int first() {
        return set.nextSetBit(least);
    }

    /** The first one that is not less; -1: there is none. */
    int next(int number) {
        return set.nextSetBit(number);
    }

    @Override
    public String toString() {
        return text;
    }
}
