package interpreter;

/** What is wrong with a script, or went wrong in it. */
class ScriptError extends RuntimeException {
    private final int line;

    ScriptError(int line, String message) {
        super("line " + line + ": " + message);
        this.line = line;
    }

    int line() {
        return line;
    }
}
