package interpreter;

import java.util.ArrayList;
import java.util.List;

/** Tokens as a tree. */
final class Parser {
    private static final String[][] LEVELS = {
        {"==", "!="}, {"<", "<=", ">", ">="}, {".."}, {"+", "-"}, {"*", "/", "%"},
    };
    private final List<Token> tokens;
    private int at;
    private int functions;
    private int loops;

    private Parser(List<Token> tokens) {
        this.tokens = tokens;
    }

    static Node.Block parse(String script) {
        Parser parser = new Parser(Lexer.tokens(script));
        List<Node> statements = new ArrayList<>();
        while (parser.token().kind() != Token.Kind.END)
            statements.add(parser.statement());
        return new Node.Block(1, statements);
    }

    // ---- tokens ----

    private Token token() {
        return tokens.get(at);
    }

    private int line() {
        return token().line();
    }

    private boolean take(String symbol) {
        if (!token().is(symbol))
            return false;
        at++;
        return true;
    }

    private void need(String symbol) {
        if (!take(symbol))
            throw new ScriptError(line(), "'" + symbol + "' is expected before " + token());
    }

    private String needName() {
        if (token().kind() != Token.Kind.NAME)
            throw new ScriptError(line(), "a name is expected before " + token());
        return tokens.get(at++).text();
    }

    // ---- statements ----

    private Node statement() {
        int line = line();
        if (token().is("{"))
            return block();
        if (take("let"))
            return let(line);
        if (token().is("fun") && tokens.get(at + 1).kind() == Token.Kind.NAME) {
            at++;
            return function(line, needName());
        }
        if (take("if"))
            return ifStatement(line);
        if (take("while")) {
            Node condition = expression();
            return new Node.While(line, condition, loopBody());
        }
        if (take("for"))
            return forStatement(line);
        if (take("try"))
            return tryStatement(line);
        for (String word : new String[] {"return", "break", "continue", "throw"})
            if (take(word))
                return leave(line, word);
        Node expression = expression();
        take(";");
        return expression;
    }

    private Node.Block block() {
        int line = line();
        need("{");
        List<Node> statements = new ArrayList<>();
        while (!take("}")) {
            if (token().kind() == Token.Kind.END)
                throw new ScriptError(line, "a block has no end");
            statements.add(statement());
        }
        return new Node.Block(line, statements);
    }

    private Node.Block loopBody() {
        loops++;
        Node.Block body = block();
        loops--;
        return body;
    }

    private Node let(int line) {
        String name = needName();
        need("=");
        Node value = expression();
        take(";");
        return new Node.Let(line, name, value);
    }

    private Node ifStatement(int line) {
        Node condition = expression();
        Node then = block();
        if (!take("else"))
            return new Node.If(line, condition, then, null);
        int at = line();
        Node otherwise = take("if") ? ifStatement(at) : block();
        return new Node.If(line, condition, then, otherwise);
    }

    private Node forStatement(int line) {
        String name = needName();
        need("in");
        Node of = expression();
        return new Node.For(line, name, of, loopBody());
    }

    private Node tryStatement(int line) {
        Node body = block();
        need("catch");
        String name = needName();
        return new Node.Try(line, body, name, block());
    }

    private Node leave(int line, String word) {
        if (word.equals("return") ? functions == 0 : loops == 0 && !word.equals("throw"))
            throw new ScriptError(line, word + " stands outside");
        boolean hasValue = word.equals("throw") || (word.equals("return") && !token().is(";") && !token().is("}"));
        Node value = hasValue ? expression() : null;
        take(";");
        return new Node.Leave(line, word, value);
    }

    // ---- expressions ----

    private Node expression() {
        int line = line();
        Node left = or();
        for (String operator : new String[] {"=", "+=", "-=", "*="})
            if (take(operator)) {
                if (!(left instanceof Node.Variable) && !(left instanceof Node.Index))
                    throw new ScriptError(line, "nothing can be stored there");
                String applied = operator.equals("=") ? null : operator.substring(0, 1);
                return new Node.Assign(line, left, applied, expression());
            }
        return left;
    }

    private Node or() {
        Node left = and();
        while (token().is("or")) {
            int line = line();
            at++;
            left = new Node.Logic(line, false, left, and());
        }
        return left;
    }

    private Node and() {
        Node left = not();
        while (token().is("and")) {
            int line = line();
            at++;
            left = new Node.Logic(line, true, left, not());
        }
        return left;
    }

    private Node not() {
        int line = line();
        return take("not") ? new Node.Not(line, not()) : binary(0);
    }

    private Node binary(int level) {
        if (level == LEVELS.length)
            return unary();
        Node left = binary(level + 1);
        for (;;) {
            int line = line();
            String operator = takeOne(LEVELS[level]);
            if (operator == null)
                return left;
            left = new Node.Binary(line, operator, left, binary(level + 1));
        }
    }

    private String takeOne(String[] operators) {
        for (String operator : operators)
            if (take(operator))
                return operator;
        return null;
    }

    private Node unary() {
        int line = line();
        return take("-") ? new Node.Negative(line, unary()) : postfix();
    }

    private Node postfix() {
        Node node = primary();
        for (;;) {
            int line = line();
            if (take("(")) {
                node = new Node.Call(line, node, list(")"));
            } else if (take("[")) {
                node = new Node.Index(line, node, expression());
                need("]");
            } else if (take(".")) {
                node = new Node.Index(line, node, new Node.Constant(line, needName()));
            } else {
                return node;
            }
        }
    }

    private List<Node> list(String end) {
        List<Node> items = new ArrayList<>();
        while (!take(end)) {
            if (!items.isEmpty())
                need(",");
            items.add(expression());
        }
        return items;
    }

    private Node primary() {
        Token t = token();
        int line = t.line();
        at++;
        switch (t.kind()) {
            case NUMBER:
                return new Node.Constant(line, Double.valueOf(t.text()));
            case STRING:
                return new Node.Constant(line, t.text());
            case NAME:
                return new Node.Variable(line, t.text());
            default:
                break;
        }
        if (t.is("true") || t.is("false"))
            return new Node.Constant(line, t.is("true"));
        if (t.is("nil"))
            return new Node.Constant(line, null);
        if (t.is("fun"))
            return function(line, null);
        if (t.is("["))
            return new Node.ListOf(line, list("]"));
        if (t.is("{"))
            return map(line);
        if (t.is("(")) {
            Node inner = expression();
            need(")");
            return inner;
        }
        throw new ScriptError(line, t + " is not expected");
    }

    private Node map(int line) {
        List<String> keys = new ArrayList<>();
        List<Node> values = new ArrayList<>();
        while (!take("}")) {
            if (!keys.isEmpty())
                need(",");
            keys.add(token().kind() == Token.Kind.STRING ? tokens.get(at++).text() : needName());
            need(":");
            values.add(expression());
        }
        return new Node.MapOf(line, keys, values);
    }

    private Node function(int line, String name) {
        List<String> parameters = new ArrayList<>();
        need("(");
        while (!take(")")) {
            if (!parameters.isEmpty())
                need(",");
            parameters.add(needName());
        }
        int around = loops;
        loops = 0;
        functions++;
        Node body = take("=>") ? expression() : block();
        functions--;
        loops = around;
        return new Node.Function(line, name, parameters, body);
    }
}
