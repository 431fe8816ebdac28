package formatter;

import java.util.List;

/** A part of a document. */
abstract class Block {
    interface Visitor {
        void heading(Heading b);

        void paragraph(Paragraph b);

        void code(Code b);

        void quote(Quote b);

        void list(Items b);

        void table(Table b);

        void rule(Rule b);
    }

    abstract void accept(Visitor v);

    static final class Heading extends Block {
        private final int level;
        private final List<Inline> text;

        Heading(int level, List<Inline> text) {
            this.level = level;
            this.text = text;
        }

        int level() {
            return level;
        }

        List<Inline> text() {
            return text;
        }

        @Override
        void accept(Visitor v) {
            v.heading(this);
        }
    }

    static final class Paragraph extends Block {
        private final List<Inline> text;

        Paragraph(List<Inline> text) {
            this.text = text;
        }

        List<Inline> text() {
            return text;
        }

        @Override
        void accept(Visitor v) {
            v.paragraph(this);
        }
    }

    static final class Code extends Block {
        private final String text;

        Code(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        @Override
        void accept(Visitor v) {
            v.code(this);
        }
    }

    static final class Quote extends Block {
        private final List<Block> inside;

        Quote(List<Block> inside) {
            this.inside = inside;
        }

        List<Block> inside() {
            return inside;
        }

        @Override
        void accept(Visitor v) {
            v.quote(this);
        }
    }

    static final class Items extends Block {
        private final boolean numbered;
        private final int first;
        private final List<List<Block>> items;

        Items(boolean numbered, int first, List<List<Block>> items) {
            this.numbered = numbered;
            this.first = first;
            this.items = items;
        }

        boolean numbered() {
            return numbered;
        }

        int first() {
            return first;
        }

        List<List<Block>> items() {
            return items;
        }

        @Override
        void accept(Visitor v) {
            v.list(this);
        }
    }

    enum Align {
        LEFT,
        RIGHT,
        CENTER
    }

    static final class Table extends Block {
        private final List<Align> aligns;
        private final List<List<List<Inline>>> rows;

        Table(List<Align> aligns, List<List<List<Inline>>> rows) {
            this.aligns = aligns;
            this.rows = rows;
        }

        Align align(int column) {
            return column < aligns.size() ? aligns.get(column) : Align.LEFT;
        }

        /** The first one is the head. */
        List<List<List<Inline>>> rows() {
            return rows;
        }

        int columns() {
            int most = 0;
            for (List<List<Inline>> row : rows)
                most = Math.max(most, row.size());
            return most;
        }

        @Override
        void accept(Visitor v) {
            v.table(this);
        }
    }

    static final class Rule extends Block {
        @Override
        void accept(Visitor v) {
            v.rule(this);
        }
    }
}
