package json;

/** Values as text, on one line or indented. */
final class Writer {
    private final StringBuilder out = new StringBuilder();
    private final int indent;
    private int depth;
    private boolean first = true;

    Writer(int indent) {
        this.indent = indent;
    }

    void raw(String text) {
        out.append(text);
    }

    private void newLine() {
        if (indent > 0)
            out.append('\n').append(" ".repeat(indent * depth));
    }

    void begin(char c) {
        out.append(c);
        depth++;
        first = true;
    }

    void next() {
        if (!first)
            out.append(',');
        first = false;
        newLine();
    }

    void name(String name) {
        quoted(name);
        out.append(indent > 0 ? ": " : ":");
    }

    void end(char c) {
        boolean empty = first && (out.charAt(out.length() - 1) == '[' || out.charAt(out.length() - 1) == '{');
        depth--;
        if (!empty)
            newLine();
        out.append(c);
        first = false;
    }

    void quoted(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"':
                case '\\':
                    out.append('\\').append(c);
                    break;
                case '\n':
                    out.append("\\n");
                    break;
                case '\t':
                    out.append("\\t");
                    break;
                case '\r':
                    out.append("\\r");
                    break;
                default:
                    if (c < ' ' || Character.isSurrogate(c))
                        out.append(String.format("\\u%04x", (int) c));
                    else
                        out.append(c);
                    break;
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
