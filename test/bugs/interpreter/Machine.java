package interpreter;

import java.util.ArrayList;
import java.util.List;

/** Runs scripts. */
final class Machine {
    private static final int DEEPEST = 500;
    private final Scope global = new Scope(null);
    private final List<String> printed = new ArrayList<>();
    private final long most;
    private long steps;
    private int depth;

    Machine() {
        this(20_000);
    }

    Machine(long most) {
        this.most = most;
        Builtins.define(global);
    }

    Object run(String script) {
        return Parser.parse(script).runIn(this, global);
    }

    List<String> printed() {
        return printed;
    }

    void print(String text) {
        printed.add(text);
    }

    void step(int line) {
        if (++steps > most)
            throw new ScriptError(line, "the script runs for too long");
    }

    Object call(Object called, List<Object> arguments, int line) {
        if (!(called instanceof Callable))
            throw new ScriptError(line, Values.typeOf(called) + " is no function");
        Callable function = (Callable) called;
        if (function.arity() != Callable.ANY && function.arity() != arguments.size())
            throw new ScriptError(line, function.name() + " takes " + function.arity() + " arguments, not "
                    + arguments.size());
        if (depth >= DEEPEST)
            throw new ScriptError(line, "functions call each other too deeply");
        depth++;
        try {
            return function.call(this, arguments, line);
        } finally {
            depth--;
        }
    }
}
