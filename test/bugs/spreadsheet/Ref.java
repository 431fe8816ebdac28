package spreadsheet;

/** The place of a cell, as B7; column and row count from 0. */
record Ref(int column, int row) implements Comparable<Ref> {
    static final int COLUMNS = 702; // A to ZZ
    static final int ROWS = 10000;

    Ref {
        if (column < 0 || column >= COLUMNS || row < 0 || row >= ROWS)
            throw new IllegalArgumentException("no such cell: column " + column + ", row " + row);
    }

    static Ref parse(String text) {
        int at = 0;
        int column = 0;
        while (at < text.length() && Character.isLetter(text.charAt(at))) {
            column = column * 26 + Character.toUpperCase(text.charAt(at)) - 'A' + 1;
            at++;
        }
        if (at == 0 || at == text.length())
            throw new IllegalArgumentException("not a cell: " + text);
        int row = 0;
        for (int i = at; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9')
                throw new IllegalArgumentException("not a cell: " + text);
            row = row * 10 + c - '0';
        }
        return new Ref(column - 1, row - 1);
    }

    static boolean looksLikeRef(String text) {
        int letters = 0;
        while (letters < text.length() && Character.isLetter(text.charAt(letters)))
            letters++;
        if (letters == 0 || letters > 2 || letters == text.length())
            return false;
        for (int i = letters; i < text.length(); i++)
            if (!Character.isDigit(text.charAt(i)))
                return false;
        return true;
    }

    static String columnName(int column) {
        StringBuilder name = new StringBuilder();
        for (int rest = column + 1; rest > 0; rest = (rest - 1) / 26)
            name.insert(0, (char) ('A' + (rest - 1) % 26));
        return name.toString();
    }

    Ref moved(int columns, int rows) {
        return new Ref(column + columns, row + rows);
    }

    @Override
    public int compareTo(Ref other) {
        return row != other.row ? Integer.compare(row, other.row) : Integer.compare(column, other.column);
    }

    @Override
    public String toString() {
        return columnName(column) + (row + 1);
    }
}
