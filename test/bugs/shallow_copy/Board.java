package shallow_copy;

class Board {
    private final char[][] cells;

    Board(int size) {
        cells = new char[size][size];
        for (char[] row : cells) java.util.Arrays.fill(row, '.');
    }

    private Board(char[][] cells) {
        this.cells = cells;
    }

    Board with(int row, int column, char mark) {
        char[][] copy = cells.clone();
        // repair aliasing: copy[row] = copy[row].clone(); copy[row][column] = mark;
        copy[row][column] = mark;
        return new Board(copy);
    }

    String row(int row) {
        return new String(cells[row]);
    }
}
