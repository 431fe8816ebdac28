package query;

/** Comparison and arithmetic, in which null stands for what is not known. */
final class Values {
    private Values() {}

    /** Nulls first, numbers by value whatever their type. */
    static int compare(Object a, Object b) {
        if (a == null || b == null)
            return a == b ? 0 : a == null ? -1 : 1;
        if (a instanceof Number && b instanceof Number)
            return numbers((Number) a, (Number) b);
        if (a instanceof String && b instanceof String)
            return ((String) a).compareTo((String) b);
        if (a instanceof Boolean && b instanceof Boolean)
            return ((Boolean) a).compareTo((Boolean) b);
        return Integer.compare(rank(a), rank(b));
    }

    private static int numbers(Number a, Number b) {
        if (a instanceof Long && b instanceof Long)
            return Long.compare(a.longValue(), b.longValue());
        return Double.compare(a.doubleValue(), b.doubleValue());
    }

    private static int rank(Object value) {
        return value instanceof Boolean ? 0 : value instanceof Number ? 1 : 2;
    }

    /** null: it is not known. */
    static Boolean truth(Object value) {
        if (value == null || value instanceof Boolean)
            return (Boolean) value;
        throw new QueryException(value + " is neither true nor false");
    }

    static Number number(Object value) {
        if (value == null || value instanceof Number)
            return (Number) value;
        throw new QueryException("'" + value + "' is not a number");
    }

    static Object arithmetic(String operator, Object left, Object right) {
        if (left == null || right == null)
            return null;
        if (operator.equals("||"))
            return text(left) + text(right);
        Number a = number(left);
        Number b = number(right);
        if (a instanceof Long && b instanceof Long)
            return whole(operator, a.longValue(), b.longValue());
        double x = a.doubleValue();
        double y = b.doubleValue();
        switch (operator) {
            case "+":
                return x + y;
            case "-":
                return x - y;
            case "*":
                return x * y;
            case "/":
                return y == 0 ? null : (Object) (x / y);
            default:
                return y == 0 ? null : (Object) (x % y);
        }
    }

    private static Object whole(String operator, long a, long b) {
        switch (operator) {
            case "+":
                return Math.addExact(a, b);
            case "-":
                return Math.subtractExact(a, b);
            case "*":
                return Math.multiplyExact(a, b);
            case "/":
                return b == 0 ? null : (Object) (a / b);
            default:
                return b == 0 ? null : (Object) (a % b);
        }
    }

    static String text(Object value) {
        if (value instanceof Double && (Double) value == Math.rint((Double) value))
            return ((Double) value).longValue() + ".0";
        return String.valueOf(value);
    }

    /** % stands for any text, _ for one character. */
    static boolean like(String text, String pattern) {
        return like(text, 0, pattern, 0);
    }

    private static boolean like(String text, int at, String pattern, int p) {
        if (p == pattern.length())
            return at == text.length();
        char c = pattern.charAt(p);
        if (c == '%') {
            for (int end = at; end <= text.length(); end++)
                if (like(text, end, pattern, p + 1))
                    return true;
            return false;
        }
        if (at == text.length())
            return false;
        return (c == '_' || c == text.charAt(at)) && like(text, at + 1, pattern, p + 1);
    }
}
