package missing_break;

import static org.junit.Assert.*;

import org.junit.Test;

public class TariffTest {
    @Test
    public void local() {
        assertEquals(20, Tariff.cents('L', 10));
    }

    @Test
    public void national() {
        assertEquals(50, Tariff.cents('N', 10));
    }
}
