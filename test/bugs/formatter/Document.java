package formatter;

import java.util.ArrayList;
import java.util.List;

/** Reads documents that are written as Markdown. */
final class Document {
    private static final int TAB = 4;
    private final List<String> lines;
    private int at;

    private Document(List<String> lines) {
        this.lines = lines;
    }

    static List<Block> parse(String text) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("\n", -1))
            lines.add(line.replace("\t", " ".repeat(TAB)));
        return parse(lines);
    }

    private static List<Block> parse(List<String> lines) {
        Document document = new Document(lines);
        List<Block> blocks = new ArrayList<>();
        while (document.at < lines.size()) {
            if (document.line().isBlank())
                document.at++;
            else
                blocks.add(document.block());
        }
        return blocks;
    }

    private String line() {
        return lines.get(at);
    }

    private boolean more() {
        return at < lines.size();
    }

    private static int indent(String line) {
        int n = 0;
        while (n < line.length() && line.charAt(n) == ' ')
            n++;
        return n;
    }

    private Block block() {
        String line = line();
        if (line.startsWith("```"))
            return fenced();
        if (headingLevel(line) > 0)
            return heading(line);
        if (isRule(line))
            return rule();
        if (line.startsWith(">"))
            return quote();
        if (markWidth(line) > 0)
            return items();
        if (line.startsWith("|") && at + 1 < lines.size() && isTableRule(lines.get(at + 1)))
            return table();
        return paragraph();
    }

    private boolean beginsBlock(String line) {
        return line.isBlank() || line.startsWith("```") || headingLevel(line) > 0 || isRule(line)
                || line.startsWith(">") || markWidth(line) > 0;
    }

    // ---- headings, rules, paragraphs ----

    private static int headingLevel(String line) {
        int level = 0;
        while (level < line.length() && line.charAt(level) == '#')
            level++;
        return level <= 6 && level < line.length() && line.charAt(level) == ' ' ? level : 0;
    }

    private Block heading(String line) {
        int level = headingLevel(line);
        String text = line.substring(level).trim();
        while (text.endsWith("#"))
            text = text.substring(0, text.length() - 1).trim();
        at++;
        return new Block.Heading(level, Inline.parse(text));
    }

    private static boolean isRule(String line) {
        String marks = line.replace(" ", "");
        return marks.length() >= 3 && (marks.equals("-".repeat(marks.length())) || marks.equals("*".repeat(
                marks.length())));
    }

    private Block rule() {
        at++;
        return new Block.Rule();
    }

    private Block paragraph() {
        StringBuilder text = new StringBuilder(line().trim());
        for (at++; more() && !beginsBlock(line()); at++)
            text.append(' ').append(line().trim());
        return new Block.Paragraph(Inline.parse(text.toString()));
    }

    private Block fenced() {
        StringBuilder text = new StringBuilder();
        for (at++; more() && !line().startsWith("```"); at++)
            text.append(line()).append('\n');
        at++;
        return new Block.Code(text.toString());
    }

    private Block quote() {
        List<String> inside = new ArrayList<>();
        for (; more() && line().startsWith(">"); at++) {
            String rest = line().substring(1);
            inside.add(rest.startsWith(" ") ? rest.substring(1) : rest);
        }
        return new Block.Quote(parse(inside));
    }

    // ---- lists ----

    /** Width of the mark of an item, with its space; 0: the line begins none. */
    private static int markWidth(String line) {
        if (line.startsWith("- ") || line.startsWith("* ") || line.startsWith("+ "))
            return 2;
        int digits = 0;
        while (digits < line.length() && Character.isDigit(line.charAt(digits)))
            digits++;
        return digits > 0 && digits < 10 && line.startsWith(". ", digits) ? digits + 2 : 0;
    }

    private static boolean isNumbered(String line) {
        return Character.isDigit(line.charAt(0));
    }

    private Block items() {
        boolean numbered = isNumbered(line());
        int first = numbered ? Integer.parseInt(line().substring(0, line().indexOf('.'))) : 0;
        List<List<Block>> items = new ArrayList<>();
        while (more() && markWidth(line()) > 0 && isNumbered(line()) == numbered)
            items.add(item());
        return new Block.Items(numbered, first, items);
    }

    /** Lines that are indented belong to the item, and those of a paragraph that goes on. */
    private List<Block> item() {
        int width = markWidth(line());
        List<String> inside = new ArrayList<>();
        inside.add(line().substring(width));
        for (at++; more(); at++) {
            String line = line();
            boolean blank = line.isBlank();
            if (blank && (at + 1 >= lines.size() || indent(lines.get(at + 1)) < width))
                break;
            if (!blank && indent(line) < width && (beginsBlock(line) || inside.get(inside.size() - 1).isBlank()))
                break;
            inside.add(blank ? "" : line.substring(Math.min(indent(line), width)));
        }
        while (more() && line().isBlank())
            at++;
        return parse(inside);
    }

    // ---- tables ----

    private static boolean isTableRule(String line) {
        if (!line.startsWith("|") || line.indexOf('-') < 0)
            return false;
        for (int i = 0; i < line.length(); i++)
            if ("|-: ".indexOf(line.charAt(i)) < 0)
                return false;
        return true;
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        String inner = line.trim().substring(1);
        for (int i = 0; i < inner.length(); i++) {
            char c = inner.charAt(i);
            if (c == '\\' && i + 1 < inner.length() && inner.charAt(i + 1) == '|') {
                cell.append('|');
                i++;
            } else if (c == '|') {
                cells.add(cell.toString().trim());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        if (!cell.toString().isBlank())
            cells.add(cell.toString().trim());
        return cells;
    }

    private Block table() {
        List<List<List<Inline>>> rows = new ArrayList<>();
        List<Block.Align> aligns = new ArrayList<>();
        rows.add(row(line()));
        for (String mark : cells(lines.get(at + 1))) {
            boolean left = mark.startsWith(":");
            boolean right = mark.endsWith(":");
            aligns.add(left && right ? Block.Align.CENTER : right ? Block.Align.RIGHT : Block.Align.LEFT);
        }
        for (at += 2; more() && line().startsWith("|"); at++)
            rows.add(row(line()));
        return new Block.Table(aligns, rows);
    }

    private static List<List<Inline>> row(String line) {
        List<List<Inline>> row = new ArrayList<>();
        for (String cell : cells(line))
            row.add(Inline.parse(cell));
        return row;
    }
}
