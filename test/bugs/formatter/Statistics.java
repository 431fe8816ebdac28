package formatter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How much is in a document. */
final class Statistics implements Block.Visitor {
    private int words;
    private int links;
    private int lines;
    private final Map<String, Integer> blocks = new HashMap<>();

    static Statistics of(List<Block> document) {
        Statistics s = new Statistics();
        s.all(document);
        return s;
    }

    int words() {
        return words;
    }

    int codeLines() {
        return lines;
    }

    int links() {
        return links;
    }

    int count(String kind) {
        return blocks.getOrDefault(kind, 0);
    }

    private void all(List<Block> document) {
        for (Block block : document)
            block.accept(this);
    }

    private void count(String kind, List<Inline> text) {
        blocks.merge(kind, 1, Integer::sum);
        String plain = Inline.allPlain(text).trim();
        if (!plain.isEmpty())
            words += plain.split("\\s+").length;
        for (Inline part : text)
            if (part instanceof Inline.Link)
                links++;
    }

    @Override
    public void heading(Block.Heading b) {
        count("heading", b.text());
    }

    @Override
    public void paragraph(Block.Paragraph b) {
        count("paragraph", b.text());
    }

    @Override
    public void code(Block.Code b) {
        count("code", List.of());
        lines += b.text().split("\n").length;
    }

    @Override
    public void quote(Block.Quote b) {
        count("quote", List.of());
        all(b.inside());
    }

    @Override
    public void list(Block.Items b) {
        count("list", List.of());
        for (List<Block> item : b.items())
            all(item);
    }

    @Override
    public void table(Block.Table b) {
        count("table", List.of());
        for (List<List<Inline>> row : b.rows())
            for (List<Inline> cell : row)
                count("cell", cell);
    }

    @Override
    public void rule(Block.Rule b) {
        count("rule", List.of());
    }
}
