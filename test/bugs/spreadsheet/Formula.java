package spreadsheet;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A formula as a tree. */
abstract class Formula {
    /** Where values of other cells come from. */
    interface Cells {
        Value value(Ref ref);
    }

    abstract Value evaluate(Cells cells);

    /** Adds the cells that it reads. */
    abstract void collect(Set<Ref> to);

    /** The same formula as it is when it is copied so far away. */
    abstract Formula moved(int columns, int rows);

    static final class Constant extends Formula {
        private final Value value;

        Constant(Value value) {
            this.value = value;
        }

        @Override
        Value evaluate(Cells cells) {
            return value;
        }

        @Override
        void collect(Set<Ref> to) {}

        @Override
        Formula moved(int columns, int rows) {
            return this;
        }

        @Override
        public String toString() {
            return value instanceof Value.Text ? '"' + value.text() + '"' : value.toString();
        }
    }

    static final class CellOf extends Formula {
        private final Ref ref;
        private final boolean fixedColumn;
        private final boolean fixedRow;

        CellOf(Ref ref, boolean fixedColumn, boolean fixedRow) {
            this.ref = ref;
            this.fixedColumn = fixedColumn;
            this.fixedRow = fixedRow;
        }

        Ref ref() {
            return ref;
        }

        @Override
        Value evaluate(Cells cells) {
            return cells.value(ref);
        }

        @Override
        void collect(Set<Ref> to) {
            to.add(ref);
        }

        @Override
        CellOf moved(int columns, int rows) {
            return new CellOf(ref.moved(fixedColumn ? 0 : columns, fixedRow ? 0 : rows), fixedColumn, fixedRow);
        }

        @Override
        public String toString() {
            return (fixedColumn ? "$" : "") + Ref.columnName(ref.column()) + (fixedRow ? "$" : "") + (ref.row() + 1);
        }
    }

    /** Only as an argument of a function. */
    static final class RangeOf extends Formula {
        private final CellOf first;
        private final CellOf last;

        RangeOf(CellOf first, CellOf last) {
            this.first = first;
            this.last = last;
        }

        Range range() {
            return new Range(first.ref(), last.ref());
        }

        @Override
        Value evaluate(Cells cells) {
            if (range().size() == 1)
                return cells.value(range().first());
            throw new Value.Failure("#VALUE!");
        }

        @Override
        void collect(Set<Ref> to) {
            for (Ref ref : range())
                to.add(ref);
        }

        @Override
        Formula moved(int columns, int rows) {
            return new RangeOf(first.moved(columns, rows), last.moved(columns, rows));
        }

        @Override
        public String toString() {
            return first + ":" + last;
        }
    }

    static final class Unary extends Formula {
        private final char operator;
        private final Formula operand;

        Unary(char operator, Formula operand) {
            this.operator = operator;
            this.operand = operand;
        }

        @Override
        Value evaluate(Cells cells) {
            double x = operand.evaluate(cells).number();
            return Value.of(operator == '%' ? x / 100 : operator == '-' ? -x : x);
        }

        @Override
        void collect(Set<Ref> to) {
            operand.collect(to);
        }

        @Override
        Formula moved(int columns, int rows) {
            return new Unary(operator, operand.moved(columns, rows));
        }

        @Override
        public String toString() {
            return operator == '%' ? operand + "%" : operator + operand.toString();
        }
    }

    static final class Binary extends Formula {
        private final String operator;
        private final Formula left;
        private final Formula right;

        Binary(String operator, Formula left, Formula right) {
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

        @Override
        Value evaluate(Cells cells) {
            Value a = left.evaluate(cells);
            Value b = right.evaluate(cells);
            if (a.isError())
                return a;
            if (b.isError())
                return b;
            switch (operator) {
                case "+":
                    return Value.of(a.number() + b.number());
                case "-":
                    return Value.of(a.number() - b.number());
                case "*":
                    return Value.of(a.number() * b.number());
                case "/":
                    if (b.number() == 0)
                        return Value.error("#DIV/0!");
                    return Value.of(a.number() / b.number());
                case "^":
                    return Value.of(Math.pow(a.number(), b.number()));
                case "&":
                    return Value.of(a.text() + b.text());
                default:
                    return Value.of(holds(Value.compare(a, b)));
            }
        }

        private boolean holds(int order) {
            switch (operator) {
                case "=":
                    return order == 0;
                case "<>":
                    return order != 0;
                case "<":
                    return order < 0;
                case "<=":
                    return order <= 0;
                case ">":
                    return order > 0;
                case ">=":
                    return order >= 0;
                default:
                    throw new IllegalStateException(operator);
            }
        }

        @Override
        void collect(Set<Ref> to) {
            left.collect(to);
            right.collect(to);
        }

        @Override
        Formula moved(int columns, int rows) {
            return new Binary(operator, left.moved(columns, rows), right.moved(columns, rows));
        }

        @Override
        public String toString() {
            return "(" + left + operator + right + ")";
        }
    }

    static final class Call extends Formula {
        private final String name;
        private final List<Formula> arguments;

        Call(String name, List<Formula> arguments) {
            this.name = name;
            this.arguments = arguments;
        }

        @Override
        Value evaluate(Cells cells) {
            return Functions.call(name, arguments, cells);
        }

        @Override
        void collect(Set<Ref> to) {
            for (Formula argument : arguments)
                argument.collect(to);
        }

        @Override
        Formula moved(int columns, int rows) {
            List<Formula> moved = new ArrayList<>();
            for (Formula argument : arguments)
                moved.add(argument.moved(columns, rows));
            return new Call(name, moved);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(name).append('(');
            for (int i = 0; i < arguments.size(); i++)
                text.append(i > 0 ? ";" : "").append(arguments.get(i));
            return text.append(')').toString();
        }
    }
}
