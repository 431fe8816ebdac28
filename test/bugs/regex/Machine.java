package regex;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Runs a program on a text. */
final class Machine {
    private static final long MOST_STEPS = 1_000_000;

    /** Where to go on if a way has failed. */
    private static final class State {
        final int pc;
        final int at;
        final int[] groups;
        final int[] rounds;

        State(int pc, int at, int[] groups, int[] rounds) {
            this.pc = pc;
            this.at = at;
            this.groups = groups;
            this.rounds = rounds;
        }
    }

    private final Program program;
    private final String text;
    private final int groups;
    private long steps;

    Machine(Program program, String text, int groups) {
        this.program = program;
        this.text = text;
        this.groups = groups;
    }

    /** Begins and ends of the groups; null: it does not match there. */
    int[] match(int start) {
        Deque<State> open = new ArrayDeque<>();
        int[] none = new int[2 * (groups + 1)];
        Arrays.fill(none, -1);
        open.push(new State(0, start, none, new int[program.loops()]));
        while (!open.isEmpty()) {
            int[] found = run(open.pop(), open);
            if (found != null)
                return found;
        }
        return null;
    }

    private int[] run(State state, Deque<State> open) {
        int pc = state.pc;
        int at = state.at;
        int[] saved = state.groups;
        int[] rounds = state.rounds;
        for (;;) {
            if (++steps > MOST_STEPS)
                throw new IllegalStateException("the pattern takes too long");
            Program.Instruction i = program.get(pc);
            switch (i.op) {
                case CHAR:
                    if (at == text.length() || text.charAt(at) != i.x)
                        return null;
                    at++;
                    break;
                case SET:
                    if (at == text.length() || !i.set.has(text.charAt(at)))
                        return null;
                    at++;
                    break;
                case SPLIT:
                    open.push(new State(i.y, at, saved, rounds));
                    pc = i.x;
                    continue;
                case JUMP:
                    pc = i.x;
                    continue;
                case SAVE:
                    saved = with(saved, i.x, at);
                    break;
                case ENTER:
                    rounds = with(rounds, i.x, at);
                    break;
                case MOVED:
                    if (rounds[i.x] == at)
                        return null;
                    break;
                case ANCHOR:
                    if (!holds(i.anchor, at))
                        return null;
                    break;
                case BACK:
                    at = behindCopy(saved, i.x, at);
                    if (at < 0)
                        return null;
                    break;
                default:
                    return saved;
            }
            pc++;
        }
    }

    private static int[] with(int[] numbers, int index, int value) {
        int[] copy = numbers.clone();
        copy[index] = value;
        return copy;
    }

    /** A group that has not matched is as an empty one. */
    private int behindCopy(int[] saved, int group, int at) {
        int begin = saved[2 * group];
        int length = saved[2 * group + 1] - begin;
        if (begin < 0)
            return at;
        return text.regionMatches(at, text, begin, length) ? at + length : -1;
    }

    private boolean isWord(int at) {
        return at >= 0 && at < text.length() && CharSet.WORD.has(text.charAt(at));
    }

    private boolean holds(Syntax.Anchor.Kind kind, int at) {
        switch (kind) {
            case BEGIN:
                return at == 0;
            case END:
                return at == text.length();
            case WORD:
                return isWord(at - 1) != isWord(at);
            default:
                return isWord(at - 1) == isWord(at);
        }
    }
}
