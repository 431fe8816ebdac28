package formatter;

import java.util.ArrayList;
import java.util.List;

/** Documents as plain text of a width. */
final class Plain implements Block.Visitor {
    private static final String[] BULLETS = {"*", "-", "+"};
    private final List<String> lines = new ArrayList<>();
    private final Wrapper wrapper;
    private final int depth; // of lists

    private Plain(Wrapper wrapper, int depth) {
        this.wrapper = wrapper;
        this.depth = depth;
    }

    static String of(List<Block> blocks, Wrapper wrapper) {
        StringBuilder out = new StringBuilder();
        for (String line : lines(blocks, wrapper, 0))
            out.append(line).append('\n');
        return out.toString();
    }

    private static List<String> lines(List<Block> blocks, Wrapper wrapper, int depth) {
        Plain plain = new Plain(wrapper, depth);
        boolean first = true;
        for (Block block : blocks) {
            if (!first && !(depth > 0 && block instanceof Block.Items))
                plain.lines.add("");
            block.accept(plain);
            first = false;
        }
        return plain.lines;
    }

    @Override
    public void heading(Block.Heading b) {
        String text = Inline.allPlain(b.text());
        if (b.level() == 1)
            text = text.toUpperCase();
        List<String> wrapped = wrapper.wrap(text);
        lines.addAll(wrapped);
        int longest = 0;
        for (String line : wrapped)
            longest = Math.max(longest, line.length());
        if (b.level() <= 2)
            lines.add((b.level() == 1 ? "=" : "-").repeat(longest));
    }

    @Override
    public void paragraph(Block.Paragraph b) {
        lines.addAll(wrapper.wrap(Inline.allPlain(b.text())));
    }

    @Override
    public void code(Block.Code b) {
        for (String line : b.text().split("\n"))
            lines.add("    " + line);
    }

    @Override
    public void quote(Block.Quote b) {
        for (String line : lines(b.inside(), wrapper.narrower(2), depth))
            lines.add(line.isEmpty() ? ">" : "> " + line);
    }

    @Override
    public void list(Block.Items b) {
        int number = b.first();
        int markWidth = b.numbered() ? String.valueOf(number + b.items().size() - 1).length() + 2 : 2;
        for (List<Block> item : b.items()) {
            String mark = b.numbered() ? number + ". " : BULLETS[depth % BULLETS.length] + " ";
            String indent = " ".repeat(markWidth);
            boolean first = true;
            for (String line : lines(item, wrapper.narrower(markWidth), depth + 1)) {
                String begin = first ? " ".repeat(markWidth - mark.length()) + mark : indent;
                lines.add(line.isEmpty() ? "" : begin + line);
                first = false;
            }
            number++;
        }
    }

    @Override
    public void table(Block.Table b) {
        List<List<String>> rows = new ArrayList<>();
        for (List<List<Inline>> row : b.rows()) {
            List<String> cells = new ArrayList<>();
            for (List<Inline> cell : row)
                cells.add(Inline.allPlain(cell));
            rows.add(cells);
        }
        int[] widths = new int[b.columns()];
        for (List<String> row : rows)
            for (int i = 0; i < row.size(); i++)
                widths[i] = Math.max(widths[i], row.get(i).length());
        for (int r = 0; r < rows.size(); r++) {
            lines.add(row(b, rows.get(r), widths));
            if (r == 0)
                lines.add(ruler(widths));
        }
    }

    private static String row(Block.Table b, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = i < cells.size() ? cells.get(i) : "";
            line.append(i > 0 ? " | " : "").append(aligned(cell, widths[i], b.align(i)));
        }
        return line.toString().stripTrailing();
    }

    private static String aligned(String text, int width, Block.Align align) {
        int space = width - text.length();
        int left = align == Block.Align.RIGHT ? space : align == Block.Align.CENTER ? space / 2 : 0;
        return " ".repeat(left) + text + " ".repeat(space - left);
    }

    private static String ruler(int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++)
            line.append(i > 0 ? "-+-" : "").append("-".repeat(widths[i]));
        return line.toString();
    }

    @Override
    public void rule(Block.Rule b) {
        lines.add("-".repeat(wrapper.width()));
    }
}
