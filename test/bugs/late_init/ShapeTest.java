package late_init;

import static org.junit.Assert.*;

import org.junit.Test;

public class ShapeTest {
    @Test
    public void area() {
        assertEquals(9, new Square(3).area());
    }

    @Test
    public void label() {
        assertEquals("square of 9", new Square(3).label());
    }
}
