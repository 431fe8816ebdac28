import junit.framework.TestCase;

public class ThreeTests extends TestCase {
    public void testRebate() {
        assertEquals("rebate", 0, new Shop().rebate(3)); // three of JUnit 3
    }

    public void testNone() {
        assertEquals(0, new Shop().rebate(1));
    }
}
