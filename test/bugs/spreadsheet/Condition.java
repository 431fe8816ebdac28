package spreadsheet;

/** A condition of SUMIF and COUNTIF: ">=10", "<>tea", "tea", 5. */
final class Condition {
    private static final String[] OPERATORS = {"<>", "<=", ">=", "<", ">", "="};
    private final String operator;
    private final Value operand;

    private Condition(String operator, Value operand) {
        this.operator = operator;
        this.operand = operand;
    }

    static Condition parse(Value value) {
        if (value.isNumber())
            return new Condition("=", value);
        String text = value.text();
        for (String operator : OPERATORS)
            if (text.startsWith(operator))
                return new Condition(operator, Value.typed(text.substring(operator.length())));
        return new Condition("=", Value.typed(text));
    }

    boolean holds(Value value) {
        if (value.isError() || value.isEmpty())
            return false;
        if (operand.isNumber() != value.isNumber())
            return operator.equals("<>");
        int order = Value.compare(value, operand);
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
            default:
                return order >= 0;
        }
    }
}
