package formatter;

import java.util.List;

/** Documents as HTML. */
final class Html implements Block.Visitor {
    private final StringBuilder out = new StringBuilder();
    private int depth;

    static String of(List<Block> blocks) {
        Html html = new Html();
        html.all(blocks);
        return html.out.toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private void all(List<Block> blocks) {
        for (Block block : blocks)
            block.accept(this);
    }

    private void line(String text) {
        out.append("  ".repeat(depth)).append(text).append('\n');
    }

    private void open(String tag) {
        line("<" + tag + ">");
        depth++;
    }

    private void close(String tag) {
        depth--;
        line("</" + tag + ">");
    }

    @Override
    public void heading(Block.Heading b) {
        String tag = "h" + b.level();
        line("<" + tag + ">" + Inline.allHtml(b.text()) + "</" + tag + ">");
    }

    @Override
    public void paragraph(Block.Paragraph b) {
        line("<p>" + Inline.allHtml(b.text()) + "</p>");
    }

    @Override
    public void code(Block.Code b) {
        out.append("  ".repeat(depth)).append("<pre>").append(escape(b.text())).append("</pre>\n");
    }

    @Override
    public void quote(Block.Quote b) {
        open("blockquote");
        all(b.inside());
        close("blockquote");
    }

    @Override
    public void list(Block.Items b) {
        String tag = b.numbered() ? "ol" : "ul";
        open(tag);
        for (List<Block> item : b.items()) {
            if (item.size() == 1 && item.get(0) instanceof Block.Paragraph) {
                line("<li>" + Inline.allHtml(((Block.Paragraph) item.get(0)).text()) + "</li>");
                continue;
            }
            open("li");
            all(item);
            close("li");
        }
        close(tag);
    }

    @Override
    public void table(Block.Table b) {
        open("table");
        for (int row = 0; row < b.rows().size(); row++) {
            String tag = row == 0 ? "th" : "td";
            StringBuilder cells = new StringBuilder("<tr>");
            for (List<Inline> cell : b.rows().get(row))
                cells.append('<').append(tag).append('>').append(Inline.allHtml(cell)).append("</").append(tag)
                        .append('>');
            line(cells.append("</tr>").toString());
        }
        close("table");
    }

    @Override
    public void rule(Block.Rule b) {
        line("<hr>");
    }
}
