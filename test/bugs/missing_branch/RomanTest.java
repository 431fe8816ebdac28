package missing_branch;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class RomanTest {
    @Test
    public void falling() {
        assertEquals(2016, Roman.parse("MMXVI"));
    }

    @Test
    public void smallBeforeLarge() {
        assertEquals(1994, Roman.parse("MCMXCIV"));
    }
}
