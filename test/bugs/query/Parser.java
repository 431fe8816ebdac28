package query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Queries as trees. */
final class Parser {
    private static final Set<String> AGGREGATES = Set.of("COUNT", "SUM", "AVG", "MIN", "MAX");
    private final List<Lexer.Word> words;
    private int at;

    private Parser(List<Lexer.Word> words) {
        this.words = words;
    }

    static Select parse(String query) {
        Parser parser = new Parser(Lexer.words(query));
        Select select = parser.select();
        if (parser.word().kind() != Lexer.Kind.END)
            throw parser.error("the end");
        return select;
    }

    private Lexer.Word word() {
        return words.get(at);
    }

    private QueryException error(String wanted) {
        Lexer.Word w = word();
        return new QueryException(wanted + " is expected at " + w.at() + ", before '" + w.text() + "'");
    }

    private boolean take(String text) {
        if (!word().is(text))
            return false;
        at++;
        return true;
    }

    private void need(String text) {
        if (!take(text))
            throw error(text);
    }

    private String name() {
        if (word().kind() != Lexer.Kind.NAME)
            throw error("a name");
        return words.get(at++).text();
    }

    private long count() {
        if (word().kind() != Lexer.Kind.NUMBER)
            throw error("a number");
        return Long.parseLong(words.get(at++).text());
    }

    private Select select() {
        Select s = new Select();
        need("SELECT");
        s.distinct = take("DISTINCT");
        do
            s.items.add(item());
        while (take(","));
        need("FROM");
        s.sources.add(source(false, false));
        for (;;) {
            boolean left = take("LEFT");
            if (!left && !word().is("JOIN") && !word().is("INNER"))
                break;
            take("INNER");
            need("JOIN");
            s.sources.add(source(left, true));
        }
        if (take("WHERE"))
            s.where = expression();
        if (take("GROUP")) {
            need("BY");
            do
                s.groups.add(expression());
            while (take(","));
        }
        if (take("HAVING"))
            s.having = expression();
        if (take("ORDER")) {
            need("BY");
            do
                s.orders.add(order());
            while (take(","));
        }
        if (take("LIMIT"))
            s.limit = count();
        if (take("OFFSET"))
            s.offset = count();
        return s;
    }

    private Select.Item item() {
        if (take("*"))
            return new Select.Item(null, "*");
        Expression e = expression();
        if (take("AS") || word().kind() == Lexer.Kind.NAME)
            return new Select.Item(e, name());
        return new Select.Item(e, e.title());
    }

    private Select.Source source(boolean left, boolean joined) {
        String table = name();
        take("AS");
        String alias = word().kind() == Lexer.Kind.NAME ? name() : table;
        if (joined)
            need("ON");
        return new Select.Source(table, alias, left, joined ? expression() : null);
    }

    private Select.Order order() {
        Expression by = expression();
        boolean descending = take("DESC");
        if (!descending)
            take("ASC");
        return new Select.Order(by, descending);
    }

    private Expression expression() {
        Expression left = conjunction();
        while (take("OR"))
            left = new Expression.Logic(false, left, conjunction());
        return left;
    }

    private Expression conjunction() {
        Expression left = negation();
        while (take("AND"))
            left = new Expression.Logic(true, left, negation());
        return left;
    }

    private Expression negation() {
        return take("NOT") ? new Expression.Not(negation()) : comparison();
    }

    private Expression comparison() {
        Expression left = sum();
        if (take("IS")) {
            boolean not = take("NOT");
            need("NULL");
            return negated(not, new Expression.IsNull(left));
        }
        boolean not = take("NOT");
        if (take("IN"))
            return negated(not, new Expression.In(left, list()));
        if (take("LIKE"))
            return negated(not, new Expression.Like(left, sum()));
        if (take("BETWEEN")) {
            Expression low = new Expression.Comparison(">=", left, sum());
            need("AND");
            return negated(not, new Expression.Logic(true, low, new Expression.Comparison("<=", left, sum())));
        }
        if (not)
            throw error("IN, LIKE or BETWEEN");
        for (String operator : new String[] {"=", "<>", "!=", "<=", ">=", "<", ">"})
            if (take(operator))
                return new Expression.Comparison(operator, left, sum());
        return left;
    }

    private static Expression negated(boolean not, Expression e) {
        return not ? new Expression.Not(e) : e;
    }

    private List<Expression> list() {
        List<Expression> list = new ArrayList<>();
        need("(");
        do
            list.add(expression());
        while (take(","));
        need(")");
        return list;
    }

    private Expression sum() {
        Expression left = product();
        for (;;) {
            String operator = take("+") ? "+" : take("-") ? "-" : take("||") ? "||" : null;
            if (operator == null)
                return left;
            left = new Expression.Arithmetic(operator, left, product());
        }
    }

    private Expression product() {
        Expression left = sign();
        for (;;) {
            String operator = take("*") ? "*" : take("/") ? "/" : take("%") ? "%" : null;
            if (operator == null)
                return left;
            left = new Expression.Arithmetic(operator, left, sign());
        }
    }

    private Expression sign() {
        if (take("-"))
            return new Expression.Arithmetic("-", new Expression.Constant(0L), sign());
        return primary();
    }

    private Expression primary() {
        Lexer.Word w = word();
        switch (w.kind()) {
            case NUMBER:
                at++;
                return new Expression.Constant(
                        w.text().contains(".") ? (Object) Double.valueOf(w.text()) : (Object) Long.valueOf(w.text()));
            case TEXT:
                at++;
                return new Expression.Constant(w.text());
            case NAME:
                return named();
            default:
                break;
        }
        if (take("NULL"))
            return new Expression.Constant(null);
        if (take("TRUE"))
            return new Expression.Constant(true);
        if (take("FALSE"))
            return new Expression.Constant(false);
        if (take("CASE"))
            return choice();
        if (take("(")) {
            Expression inner = expression();
            need(")");
            return inner;
        }
        throw error("a value");
    }

    private Expression choice() {
        List<Expression> conditions = new ArrayList<>();
        List<Expression> results = new ArrayList<>();
        while (take("WHEN")) {
            conditions.add(expression());
            need("THEN");
            results.add(expression());
        }
        Expression otherwise = take("ELSE") ? expression() : new Expression.Constant(null);
        need("END");
        return new Expression.Case(conditions, results, otherwise);
    }

    private Expression named() {
        String name = name();
        if (take("."))
            return new Expression.Column(name, name());
        if (!word().is("("))
            return new Expression.Column(null, name);
        String function = name.toUpperCase(Locale.ROOT);
        if (!AGGREGATES.contains(function))
            return new Expression.Call(function, list());
        need("(");
        boolean distinct = take("DISTINCT");
        Expression of = take("*") ? null : expression();
        need(")");
        return new Expression.Aggregate(function, of, distinct);
    }
}
