package spreadsheet;

import java.math.BigDecimal;
import java.math.MathContext;

/** What a cell shows: nothing, a number, a text, a truth value or an error. */
abstract class Value {
    static final Value EMPTY = new Empty();
    static final Value TRUE = new Bool(true);
    static final Value FALSE = new Bool(false);

    static Value of(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number))
            return new Error("#NUM!");
        return new Number(number);
    }

    static Value of(String text) {
        return new Text(text);
    }

    static Value of(boolean truth) {
        return truth ? TRUE : FALSE;
    }

    static Value error(String code) {
        return new Error(code);
    }

    /** As it is typed into a cell that is no formula. */
    static Value typed(String text) {
        String trimmed = text.trim();
        if (trimmed.isEmpty())
            return EMPTY;
        if (trimmed.equalsIgnoreCase("true") || trimmed.equalsIgnoreCase("false"))
            return of(trimmed.equalsIgnoreCase("true"));
        try {
            if (trimmed.endsWith("%"))
                return of(Double.parseDouble(trimmed.substring(0, trimmed.length() - 1)) / 100);
            return of(Double.parseDouble(trimmed));
        } catch (NumberFormatException e) {
            return of(text);
        }
    }

    /** As an operand of arithmetic. An error stays what it is. */
    double number() {
        throw new Failure("#VALUE!");
    }

    String text() {
        return toString();
    }

    boolean truth() {
        throw new Failure("#VALUE!");
    }

    boolean isNumber() {
        return false;
    }

    boolean isEmpty() {
        return false;
    }

    boolean isError() {
        return false;
    }

    /** Numbers before texts before truth values. */
    abstract int rank();

    static int compare(Value a, Value b) {
        if (a.isEmpty() && b.isNumber())
            return Double.compare(0, b.number());
        if (b.isEmpty() && a.isNumber())
            return Double.compare(a.number(), 0);
        if (a.rank() != b.rank())
            return Integer.compare(a.rank(), b.rank());
        if (a.isNumber())
            return Double.compare(a.number(), b.number());
        return a.text().compareToIgnoreCase(b.text());
    }

    /** A calculation ends with this error. */
    static final class Failure extends RuntimeException {
        final String code;

        Failure(String code) {
            super(code, null, false, false);
            this.code = code;
        }
    }

    static final class Empty extends Value {
        @Override
        double number() {
            return 0;
        }

        @Override
        boolean truth() {
            return false;
        }

        @Override
        boolean isEmpty() {
            return true;
        }

        @Override
        int rank() {
            return 0;
        }

        @Override
        public String toString() {
            return "";
        }
    }

    static final class Number extends Value {
        private final double value;

        Number(double value) {
            this.value = value;
        }

        @Override
        double number() {
            return value;
        }

        @Override
        boolean truth() {
            return value != 0;
        }

        @Override
        boolean isNumber() {
            return true;
        }

        @Override
        int rank() {
            return 1;
        }

        @Override
        public String toString() {
            if (value == Math.rint(value) && Math.abs(value) < 1e15)
                return Long.toString((long) value);
            return new BigDecimal(value, new MathContext(10)).stripTrailingZeros().toPlainString();
        }
    }

    static final class Text extends Value {
        private final String value;

        Text(String value) {
            this.value = value;
        }

        @Override
        double number() {
            try {
                return Double.parseDouble(value.trim());
            } catch (NumberFormatException e) {
                throw new Failure("#VALUE!");
            }
        }

        @Override
        int rank() {
            return 2;
        }

        @Override
        public String toString() {
            return value;
        }
    }

    static final class Bool extends Value {
        private final boolean value;

        Bool(boolean value) {
            this.value = value;
        }

        @Override
        double number() {
            return value ? 1 : 0;
        }

        @Override
        boolean truth() {
            return value;
        }

        @Override
        int rank() {
            return 3;
        }

        @Override
        public String toString() {
            return value ? "TRUE" : "FALSE";
        }
    }

    static final class Error extends Value {
        private final String code;

        Error(String code) {
            this.code = code;
        }

        @Override
        double number() {
            throw new Failure(code);
        }

        @Override
        boolean truth() {
            throw new Failure(code);
        }

        @Override
        boolean isError() {
            return true;
        }

        @Override
        int rank() {
            return 4;
        }

        @Override
        public String toString() {
            return code;
        }
    }
}
