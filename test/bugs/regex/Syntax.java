package regex;

import java.util.List;

/** A pattern as a tree. */
abstract class Syntax {
    interface Visitor<T> {
        T literal(Literal s);

        T set(OneOf s);

        T sequence(Sequence s);

        T choice(Choice s);

        T repeat(Repeat s);

        T group(Group s);

        T anchor(Anchor s);

        T back(Back s);
    }

    abstract <T> T accept(Visitor<T> v);

    static final class Literal extends Syntax {
        final char c;

        Literal(char c) {
            this.c = c;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.literal(this);
        }
    }

    static final class OneOf extends Syntax {
        final CharSet set;

        OneOf(CharSet set) {
            this.set = set;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.set(this);
        }
    }

    static final class Sequence extends Syntax {
        final List<Syntax> parts;

        Sequence(List<Syntax> parts) {
            this.parts = parts;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.sequence(this);
        }
    }

    static final class Choice extends Syntax {
        final List<Syntax> ways;

        Choice(List<Syntax> ways) {
            this.ways = ways;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.choice(this);
        }
    }

    static final class Repeat extends Syntax {
        static final int ENDLESS = Integer.MAX_VALUE;
        final Syntax of;
        final int least;
        final int most;
        final boolean greedy;

        Repeat(Syntax of, int least, int most, boolean greedy) {
            this.of = of;
            this.least = least;
            this.most = most;
            this.greedy = greedy;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.repeat(this);
        }
    }

    static final class Group extends Syntax {
        final Syntax of;
        final int number;

        Group(Syntax of, int number) {
            this.of = of;
            this.number = number;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.group(this);
        }
    }

    static final class Anchor extends Syntax {
        enum Kind {
            BEGIN,
            END,
            WORD,
            NO_WORD
        }

        final Kind kind;

        Anchor(Kind kind) {
            this.kind = kind;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.anchor(this);
        }
    }

    static final class Back extends Syntax {
        final int number;

        Back(int number) {
            this.number = number;
        }

        @Override
        <T> T accept(Visitor<T> v) {
            return v.back(this);
        }
    }
}
