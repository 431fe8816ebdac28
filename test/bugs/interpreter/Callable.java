package interpreter;

import java.util.List;

/** What a script can call. */
interface Callable {
    /** As many arguments as there are. */
    int ANY = -1;

    String name();

    int arity();

    Object call(Machine m, List<Object> arguments, int line);
}
