package cast;

import static org.junit.Assert.*;

import org.junit.Test;

public class ShapesTest {
    @Test
    public void numbers() {
        Shapes shape = new Shapes();
        shape.side(3);
        shape.side(4);
        assertEquals(7, shape.around());
    }

    @Test
    public void texts() {
        Shapes shape = new Shapes();
        shape.side(3);
        shape.side("4");
        assertEquals(7, shape.around());
    }
}
