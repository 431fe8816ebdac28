package interpreter;

import java.util.List;

/** A function of a script, with the variables around it. */
final class Closure implements Callable {
    private final String name;
    private final List<String> parameters;
    private final Node body;
    private final Scope around;

    Closure(String name, List<String> parameters, Node body, Scope around) {
        this.name = name;
        this.parameters = parameters;
        this.body = body;
        this.around = around;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int arity() {
        return parameters.size();
    }

    @Override
    public Object call(Machine m, List<Object> arguments, int line) {
        Scope own = new Scope(around);
        for (int i = 0; i < parameters.size(); i++)
            own.define(parameters.get(i), arguments.get(i));
        try {
            Object last = body instanceof Node.Block ? ((Node.Block) body).runIn(m, own) : body.run(m, own);
            return body instanceof Node.Block ? null : last;
        } catch (Node.Return r) {
            return r.value;
        }
    }
}
