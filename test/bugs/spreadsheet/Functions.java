package spreadsheet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The functions that formulas call. */
final class Functions {
    private Functions() {}

    static boolean exists(String name) {
        switch (name) {
            case "SUM":
            case "AVERAGE":
            case "COUNT":
            case "MIN":
            case "MAX":
            case "MEDIAN":
            case "IF":
            case "AND":
            case "OR":
            case "NOT":
            case "ROUND":
            case "ABS":
            case "MOD":
            case "LEN":
            case "UPPER":
            case "LEFT":
            case "RIGHT":
            case "VLOOKUP":
            case "SUMIF":
            case "COUNTIF":
            case "IFERROR":
                return true;
            default:
                return false;
        }
    }

    static Value call(String name, List<Formula> a, Formula.Cells cells) {
        switch (name) {
            case "SUM":
                return sum(numbers(a, cells));
            case "AVERAGE":
                return average(numbers(a, cells));
            case "COUNT":
                return Value.of(numbers(a, cells).size());
            case "MIN":
                return extreme(numbers(a, cells), -1);
            case "MAX":
                return extreme(numbers(a, cells), 1);
            case "MEDIAN":
                return median(numbers(a, cells));
            case "IF":
                return choose(a, cells);
            case "AND":
                return all(a, cells, true);
            case "OR":
                return all(a, cells, false);
            case "NOT":
                return Value.of(!argument(a, 0, cells).truth());
            case "ROUND":
                return round(argument(a, 0, cells).number(), a.size() > 1 ? argument(a, 1, cells).number() : 0);
            case "ABS":
                return Value.of(Math.abs(argument(a, 0, cells).number()));
            case "MOD":
                return modulo(argument(a, 0, cells).number(), argument(a, 1, cells).number());
            case "LEN":
                return Value.of(argument(a, 0, cells).text().length());
            case "UPPER":
                return Value.of(argument(a, 0, cells).text().toUpperCase(Locale.ROOT));
            case "LEFT":
                return part(argument(a, 0, cells).text(), (int) argument(a, 1, cells).number(), true);
            case "RIGHT":
                return part(argument(a, 0, cells).text(), (int) argument(a, 1, cells).number(), false);
            case "VLOOKUP":
                return lookUp(a, cells);
            case "SUMIF":
                return sumIf(a, cells);
            case "COUNTIF":
                return countIf(a, cells);
            case "IFERROR":
                return orElse(a, cells);
            default:
                throw new Value.Failure("#NAME?");
        }
    }

    private static Value argument(List<Formula> a, int index, Formula.Cells cells) {
        if (index >= a.size())
            throw new Value.Failure("#N/A");
        Value value = a.get(index).evaluate(cells);
        if (value.isError())
            throw new Value.Failure(value.text());
        return value;
    }

    private static Range range(List<Formula> a, int index) {
        if (index >= a.size())
            throw new Value.Failure("#N/A");
        Formula f = a.get(index);
        if (f instanceof Formula.RangeOf)
            return ((Formula.RangeOf) f).range();
        if (f instanceof Formula.CellOf)
            return new Range(((Formula.CellOf) f).ref(), ((Formula.CellOf) f).ref());
        throw new Value.Failure("#VALUE!");
    }

    /** The numbers in ranges, and the arguments that are numbers. Texts in ranges do not count. */
    private static List<Double> numbers(List<Formula> a, Formula.Cells cells) {
        List<Double> numbers = new ArrayList<>();
        for (Formula f : a) {
            if (!(f instanceof Formula.RangeOf)) {
                Value value = f.evaluate(cells);
                if (!value.isEmpty())
                    numbers.add(value.number());
                continue;
            }
            for (Ref ref : ((Formula.RangeOf) f).range()) {
                Value value = cells.value(ref);
                if (value.isError())
                    throw new Value.Failure(value.text());
                if (value.isNumber())
                    numbers.add(value.number());
            }
        }
        return numbers;
    }

    private static Value sum(List<Double> numbers) {
        double sum = 0;
        for (double x : numbers)
            sum += x;
        return Value.of(sum);
    }

    private static Value average(List<Double> numbers) {
        if (numbers.isEmpty())
            return Value.error("#DIV/0!");
        return Value.of(sum(numbers).number() / numbers.size());
    }

    private static Value extreme(List<Double> numbers, int sign) {
        double found = numbers.isEmpty() ? 0 : numbers.get(0);
        for (double x : numbers)
            if (Double.compare(x, found) * sign > 0)
                found = x;
        return Value.of(found);
    }

    private static Value median(List<Double> numbers) {
        if (numbers.isEmpty())
            return Value.error("#NUM!");
        List<Double> sorted = new ArrayList<>(numbers);
        sorted.sort(null);
        int middle = sorted.size() / 2;
        if (sorted.size() % 2 == 1)
            return Value.of(sorted.get(middle));
        return Value.of((sorted.get(middle - 1) + sorted.get(middle)) / 2);
    }

    private static Value choose(List<Formula> a, Formula.Cells cells) {
        if (argument(a, 0, cells).truth())
            return a.size() > 1 ? a.get(1).evaluate(cells) : Value.TRUE;
        return a.size() > 2 ? a.get(2).evaluate(cells) : Value.FALSE;
    }

    private static Value all(List<Formula> a, Formula.Cells cells, boolean wanted) {
        for (int i = 0; i < a.size(); i++)
            if (argument(a, i, cells).truth() != wanted)
                return Value.of(!wanted);
        return Value.of(wanted);
    }

    private static Value round(double x, double digits) {
        double scale = Math.pow(10, digits);
        return Value.of(Math.signum(x) * Math.floor(Math.abs(x) * scale + 0.5) / scale);
    }

    private static Value modulo(double x, double by) {
        if (by == 0)
            return Value.error("#DIV/0!");
        return Value.of(x - by * Math.floor(x / by));
    }

    private static Value part(String text, int count, boolean left) {
        if (count < 0)
            return Value.error("#VALUE!");
        int n = Math.min(count, text.length());
        return Value.of(left ? text.substring(0, n) : text.substring(text.length() - n));
    }

    /** VLOOKUP(what; table; column; sorted): without `sorted` an equal one, else the last one that is not greater. */
    private static Value lookUp(List<Formula> a, Formula.Cells cells) {
        Value what = argument(a, 0, cells);
        Range table = range(a, 1);
        int column = (int) argument(a, 2, cells).number();
        boolean sorted = a.size() > 3 && argument(a, 3, cells).truth();
        if (column < 1 || column > table.width())
            return Value.error("#REF!");
        int found = -1;
        for (int row = 0; row < table.height(); row++) {
            Value key = cells.value(table.first().moved(0, row));
            int order = Value.compare(key, what);
            if (sorted && order > 0)
                break;
            if (order == 0 || sorted)
                found = row;
            if (order == 0)
                break;
        }
        if (found < 0)
            return Value.error("#N/A");
        return cells.value(table.first().moved(column - 1, found));
    }

    /** SUMIF(keys; condition; values) */
    private static Value sumIf(List<Formula> a, Formula.Cells cells) {
        Range keys = range(a, 0);
        Condition condition = Condition.parse(argument(a, 1, cells));
        Range values = a.size() > 2 ? range(a, 2) : keys;
        double sum = 0;
        for (int i = 0; i < keys.size() && i < values.size(); i++) {
            Value value = cells.value(values.at(i));
            if (condition.holds(cells.value(keys.at(i))) && value.isNumber())
                sum += value.number();
        }
        return Value.of(sum);
    }

    private static Value countIf(List<Formula> a, Formula.Cells cells) {
        Condition condition = Condition.parse(argument(a, 1, cells));
        int count = 0;
        for (Ref ref : range(a, 0))
            if (condition.holds(cells.value(ref)))
                count++;
        return Value.of(count);
    }

    private static Value orElse(List<Formula> a, Formula.Cells cells) {
        try {
            Value value = a.get(0).evaluate(cells);
            if (!value.isError())
                return value;
        } catch (Value.Failure e) {
            // the other one
        }
        return argument(a, 1, cells);
    }
}
