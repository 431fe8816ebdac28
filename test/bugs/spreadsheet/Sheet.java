package spreadsheet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Cells, and what follows from them: a cell that changes makes those that read it be calculated again. */
final class Sheet implements Formula.Cells {
    /** What was typed, and what came of it. */
    private static final class Cell {
        String typed = "";
        Formula formula; // null: a constant
        Value value = Value.EMPTY;
        Set<Ref> reads = Set.of();
    }

    private final Map<Ref, Cell> cells = new TreeMap<>();
    private final Map<Ref, Set<Ref>> readers = new HashMap<>();
    private final Map<String, Range> names = new HashMap<>();
    private final Deque<Map.Entry<Ref, String>> undo = new ArrayDeque<>();
    private int calculations;

    void set(String ref, String typed) {
        set(Ref.parse(ref), typed);
    }

    void set(Ref ref, String typed) {
        undo.push(Map.entry(ref, typed(ref)));
        put(ref, typed);
    }

    private void put(Ref ref, String typed) {
        Cell cell = cells.computeIfAbsent(ref, r -> new Cell());
        forgetReads(ref, cell);
        cell.typed = typed;
        cell.formula = null;
        if (typed.startsWith("="))
            enterFormula(ref, cell, typed.substring(1));
        else
            cell.value = Value.typed(typed);
        recalculate(ref);
    }

    private void enterFormula(Ref ref, Cell cell, String text) {
        try {
            cell.formula = Parser.parse(withNames(text));
        } catch (Parser.SyntaxError e) {
            cell.value = Value.error("#SYNTAX!");
            return;
        }
        Set<Ref> reads = new LinkedHashSet<>();
        cell.formula.collect(reads);
        cell.reads = reads;
        for (Ref read : reads)
            readers.computeIfAbsent(read, r -> new LinkedHashSet<>()).add(ref);
    }

    private void forgetReads(Ref ref, Cell cell) {
        for (Ref read : cell.reads) {
            Set<Ref> of = readers.get(read);
            if (of != null && of.remove(ref) && of.isEmpty())
                readers.remove(read);
        }
        cell.reads = Set.of();
    }

    /** Takes back what was set last. False: there is nothing. */
    boolean undo() {
        Map.Entry<Ref, String> last = undo.poll();
        if (last == null)
            return false;
        put(last.getKey(), last.getValue());
        return true;
    }

    // ---- names ----

    void define(String name, String range) {
        names.put(name.toUpperCase(), Range.parse(range));
    }

    /** Replaces the names that stand outside of quotation marks. */
    private String withNames(String text) {
        StringBuilder out = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length();) {
            char c = text.charAt(i);
            if (c == '"')
                quoted = !quoted;
            if (quoted || !Character.isLetter(c)) {
                out.append(c);
                i++;
                continue;
            }
            int end = i;
            while (end < text.length() && (Character.isLetterOrDigit(text.charAt(end)) || text.charAt(end) == '_'))
                end++;
            String word = text.substring(i, end);
            Range range = names.get(word.toUpperCase());
            out.append(range != null ? range.toString() : word);
            i = end;
        }
        return out.toString();
    }

    // ---- calculation ----

    /** Calculates a cell and all that read it, each one after those that it reads. */
    private void recalculate(Ref changed) {
        List<Ref> order = new ArrayList<>();
        Set<Ref> done = new HashSet<>();
        Set<Ref> circular = new HashSet<>();
        visit(changed, done, new LinkedHashSet<>(), circular, order);
        // repair wrong-order: for (int i = order.size() - 1; i >= 0; i--)
        for (int i = 0; i < order.size(); i++)
            calculate(order.get(i), circular);
    }

    /** Adds the readers of a cell to the order, and then itself. */
    private void visit(Ref ref, Set<Ref> done, Set<Ref> path, Set<Ref> circular, List<Ref> order) {
        if (path.contains(ref)) {
            boolean inside = false;
            for (Ref on : path) {
                inside |= on.equals(ref);
                if (inside)
                    circular.add(on);
            }
            return;
        }
        if (done.contains(ref))
            return;
        path.add(ref);
        for (Ref reader : readers.getOrDefault(ref, Set.of()))
            visit(reader, done, path, circular, order);
        path.remove(ref);
        done.add(ref);
        order.add(ref);
    }

    private void calculate(Ref ref, Set<Ref> circular) {
        Cell cell = cells.get(ref);
        if (cell == null || cell.formula == null)
            return;
        calculations++;
        if (circular.contains(ref)) {
            cell.value = Value.error("#CYCLE!");
            return;
        }
        try {
            Value value = cell.formula.evaluate(this);
            cell.value = value.isEmpty() ? Value.of(0) : value;
        } catch (Value.Failure e) {
            cell.value = Value.error(e.code);
        }
    }

    @Override
    public Value value(Ref ref) {
        Cell cell = cells.get(ref);
        return cell != null ? cell.value : Value.EMPTY;
    }

    int calculations() {
        return calculations;
    }

    // ---- questions ----

    String shown(String ref) {
        return value(Ref.parse(ref)).toString();
    }

    String typed(Ref ref) {
        Cell cell = cells.get(ref);
        return cell != null ? cell.typed : "";
    }

    Range used() {
        int column = 0;
        int row = 0;
        for (Map.Entry<Ref, Cell> entry : cells.entrySet()) {
            if (entry.getValue().typed.isEmpty())
                continue;
            column = Math.max(column, entry.getKey().column());
            row = Math.max(row, entry.getKey().row());
        }
        return new Range(new Ref(0, 0), new Ref(column, row));
    }

    // ---- editing ----

    /** Copies a cell to all cells of a range; formulas move with it. */
    void copy(String from, String to) {
        Ref source = Ref.parse(from);
        Cell cell = cells.get(source);
        for (Ref target : Range.parse(to)) {
            if (cell == null || cell.formula == null) {
                set(target, typed(source));
                continue;
            }
            int columns = target.column() - source.column();
            int rows = target.row() - source.row();
            try {
                set(target, "=" + cell.formula.moved(columns, rows));
            } catch (IllegalArgumentException e) {
                set(target, "=1/0");
            }
        }
    }

    void clear(String range) {
        for (Ref ref : Range.parse(range))
            if (cells.containsKey(ref))
                set(ref, "");
    }
}
