package wrong_loop_variable;

import static org.junit.Assert.*;

import org.junit.Test;

public class MatrixTest {
    @Test
    public void one() {
        assertArrayEquals(new int[] {7}, new Matrix(new int[][] {{7}}).transposed().row(0));
    }

    @Test
    public void square() {
        Matrix matrix = new Matrix(new int[][] {{1, 2}, {3, 4}});
        assertArrayEquals(new int[] {1, 3}, matrix.transposed().row(0));
    }
}
