package wrong_loop_variable;

class Matrix {
    private final int[][] cells;

    Matrix(int[][] cells) {
        this.cells = cells;
    }

    Matrix transposed() {
        int[][] other = new int[cells[0].length][cells.length];
        for (int i = 0; i < cells.length; i++)
            for (int j = 0; j < cells[0].length; j++) {
                // repair wrong-variable: other[j][i] = cells[i][j];
                other[j][i] = cells[i][i];
            }
        return new Matrix(other);
    }

    int[] row(int i) {
        return cells[i];
    }
}
