package used_iterator;

import static org.junit.Assert.*;

import java.util.Arrays;
import org.junit.Test;

public class ReportTest {
    @Test
    public void sum() {
        assertEquals(9, new Report(Arrays.asList(2, 3, 4)).sum());
    }

    @Test
    public void mean() {
        assertEquals(3.0, new Report(Arrays.asList(2, 3, 4)).mean(), 0);
    }
}
