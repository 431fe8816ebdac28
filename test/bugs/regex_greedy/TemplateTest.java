package regex_greedy;

import static org.junit.Assert.*;

import java.util.Map;
import org.junit.Test;

public class TemplateTest {
    @Test
    public void one() {
        assertEquals("Dear Ann", Template.fill("Dear <name>", Map.of("name", "Ann")));
    }

    @Test
    public void two() {
        assertEquals("Ann of Bern", Template.fill("<name> of <city>", Map.of("name", "Ann", "city", "Bern")));
    }
}
