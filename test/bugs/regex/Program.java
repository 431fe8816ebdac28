package regex;

import java.util.ArrayList;
import java.util.List;

/** A pattern as instructions of a machine that goes back. */
final class Program {
    enum Op {
        CHAR,
        SET,
        SPLIT, // goes on at x, and if that fails at y
        JUMP,
        SAVE, // a begin or end of a group
        ANCHOR,
        BACK,
        ENTER, // a round of a loop begins here
        MOVED, // fails unless the round has moved on
        MATCH
    }

    static final class Instruction {
        final Op op;
        int x;
        int y;
        CharSet set;
        Syntax.Anchor.Kind anchor;

        Instruction(Op op, int x) {
            this.op = op;
            this.x = x;
        }

        @Override
        public String toString() {
            switch (op) {
                case CHAR:
                    return "CHAR " + (char) x;
                case SET:
                    return "SET " + set;
                case SPLIT:
                    return "SPLIT " + x + " " + y;
                case ANCHOR:
                    return "ANCHOR " + anchor;
                case MATCH:
                    return "MATCH";
                default:
                    return op + " " + x;
            }
        }
    }

    private final List<Instruction> code = new ArrayList<>();
    private int loops;

    Instruction get(int at) {
        return code.get(at);
    }

    int size() {
        return code.size();
    }

    int loops() {
        return loops;
    }

    int newLoop() {
        return loops++;
    }

    Instruction add(Op op, int x) {
        Instruction instruction = new Instruction(op, x);
        code.add(instruction);
        return instruction;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < code.size(); i++)
            text.append(i).append(' ').append(code.get(i)).append('\n');
        return text.toString();
    }
}
