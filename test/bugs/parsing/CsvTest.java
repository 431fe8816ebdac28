package parsing;

import static org.junit.Assert.*;

import java.util.Arrays;
import org.junit.Test;

public class CsvTest {
    @Test
    public void plain() {
        assertEquals(Arrays.asList("1", "tea", "3.00"), Csv.fields("1,tea,3.00"));
    }

    @Test
    public void quoted() {
        assertEquals(Arrays.asList("1", "tea, green", "3.00"), Csv.fields("1,\"tea, green\",3.00"));
    }
}
