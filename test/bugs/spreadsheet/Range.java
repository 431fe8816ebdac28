package spreadsheet;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** A block of cells, as A1:C3: the corners belong to it. */
record Range(Ref first, Ref last) implements Iterable<Ref> {
    Range {
        if (first.column() > last.column() || first.row() > last.row()) {
            Ref a = first;
            Ref b = last;
            first = new Ref(Math.min(a.column(), b.column()), Math.min(a.row(), b.row()));
            last = new Ref(Math.max(a.column(), b.column()), Math.max(a.row(), b.row()));
        }
    }

    static Range parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0)
            return new Range(Ref.parse(text), Ref.parse(text));
        return new Range(Ref.parse(text.substring(0, colon)), Ref.parse(text.substring(colon + 1)));
    }

    int width() {
        return last.column() - first.column() + 1;
    }

    int height() {
        return last.row() - first.row() + 1;
    }

    int size() {
        return width() * height();
    }

    boolean contains(Ref ref) {
        return ref.column() >= first.column() && ref.column() <= last.column() && ref.row() >= first.row()
                && ref.row() <= last.row();
    }

    boolean overlaps(Range other) {
        return first.column() <= other.last.column() && other.first.column() <= last.column()
                && first.row() <= other.last.row() && other.first.row() <= last.row();
    }

    /** The cell number `index`, row by row. */
    Ref at(int index) {
        return new Ref(first.column() + index % width(), first.row() + index / width());
    }

    @Override
    public Iterator<Ref> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size();
            }

            @Override
            public Ref next() {
                if (!hasNext())
                    throw new NoSuchElementException();
                return at(next++);
            }
        };
    }

    @Override
    public String toString() {
        return first.equals(last) ? first.toString() : first + ":" + last;
    }
}
