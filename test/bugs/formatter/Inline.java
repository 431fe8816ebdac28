package formatter;

import java.util.ArrayList;
import java.util.List;

/** A part of a line: text, emphasis, code or a link. */
abstract class Inline {
    abstract String html();

    /** As plain text shows it. */
    abstract String plain();

    static final class Text extends Inline {
        private final String text;

        Text(String text) {
            this.text = text;
        }

        @Override
        String html() {
            return Html.escape(text);
        }

        @Override
        String plain() {
            return text;
        }
    }

    static final class Styled extends Inline {
        private final String tag;
        private final String mark;
        private final List<Inline> parts;

        Styled(String tag, String mark, List<Inline> parts) {
            this.tag = tag;
            this.mark = mark;
            this.parts = parts;
        }

        @Override
        String html() {
            return "<" + tag + ">" + allHtml(parts) + "</" + tag + ">";
        }

        @Override
        String plain() {
            return mark + allPlain(parts) + mark;
        }
    }

    static final class Code extends Inline {
        private final String text;

        Code(String text) {
            this.text = text;
        }

        @Override
        String html() {
            return "<code>" + Html.escape(text) + "</code>";
        }

        @Override
        String plain() {
            return "'" + text + "'";
        }
    }

    static final class Link extends Inline {
        private final List<Inline> text;
        private final String target;

        Link(List<Inline> text, String target) {
            this.text = text;
            this.target = target;
        }

        @Override
        String html() {
            return "<a href=\"" + Html.escape(target) + "\">" + allHtml(text) + "</a>";
        }

        @Override
        String plain() {
            String shown = allPlain(text);
            return shown.equals(target) ? shown : shown + " <" + target + ">";
        }
    }

    static String allHtml(List<Inline> parts) {
        StringBuilder out = new StringBuilder();
        for (Inline part : parts)
            out.append(part.html());
        return out.toString();
    }

    static String allPlain(List<Inline> parts) {
        StringBuilder out = new StringBuilder();
        for (Inline part : parts)
            out.append(part.plain());
        return out.toString();
    }

    static List<Inline> parse(String text) {
        return new Reader(text).parts("");
    }

    /** Reads **strong**, *emphasis*, `code`, [links](target) and \escapes. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        List<Inline> parts(String end) {
            List<Inline> parts = new ArrayList<>();
            StringBuilder plain = new StringBuilder();
            while (at < text.length() && (end.isEmpty() || !text.startsWith(end, at))) {
                char c = text.charAt(at);
                if (c == '\\' && at + 1 < text.length()) {
                    plain.append(text.charAt(at + 1));
                    at += 2;
                    continue;
                }
                int before = at;
                Inline special = special(c);
                if (special == null) {
                    at = before + 1;
                    plain.append(c);
                    continue;
                }
                flush(plain, parts);
                parts.add(special);
            }
            flush(plain, parts);
            return parts;
        }

        private static void flush(StringBuilder plain, List<Inline> parts) {
            if (plain.length() > 0)
                parts.add(new Text(plain.toString()));
            plain.setLength(0);
        }

        /** null: it is a character as any other. */
        private Inline special(char c) {
            switch (c) {
                case '*':
                    return text.startsWith("**", at) ? styled("strong", "**", "*") : styled("em", "*", "_");
                case '`':
                    return code();
                case '[':
                    return link();
                default:
                    return null;
            }
        }

        private Inline styled(String tag, String delimiter, String mark) {
            int begin = at + delimiter.length();
            int end = text.indexOf(delimiter, begin);
            if (end <= begin || Character.isWhitespace(text.charAt(begin)))
                return null;
            at = begin;
            List<Inline> inner = parts(delimiter);
            if (at >= text.length())
                return null;
            at += delimiter.length();
            return new Styled(tag, mark, inner);
        }

        private Inline code() {
            int end = text.indexOf('`', at + 1);
            if (end < 0)
                return null;
            String content = text.substring(at + 1, end);
            at = end + 1;
            return new Code(content);
        }

        private Inline link() {
            int middle = text.indexOf("](", at);
            int end = middle < 0 ? -1 : text.indexOf(')', middle);
            if (end < 0)
                return null;
            List<Inline> shown = Inline.parse(text.substring(at + 1, middle));
            String target = text.substring(middle + 2, end);
            at = end + 1;
            return new Link(shown, target);
        }
    }
}
