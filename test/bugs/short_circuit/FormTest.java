package short_circuit;

import static org.junit.Assert.*;

import java.util.Arrays;
import org.junit.Test;

public class FormTest {
    @Test
    public void complete() {
        assertTrue(new Form().submit("Ann", "Bern"));
    }

    @Test
    public void allErrors() {
        Form form = new Form();
        form.submit("", "");
        assertEquals(Arrays.asList("name is missing", "city is missing"), form.errors());
    }
}
