package comparator;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ResultsTest {
    @Test
    public void mostPoints() {
        Results race = new Results();
        race.add("Ann", 3, 50);
        race.add("Ben", 5, 60);
        assertEquals("Ben", race.winner());
    }

    @Test
    public void fewestSecondsOfEqualPoints() {
        Results race = new Results();
        race.add("Ann", 5, 50);
        race.add("Ben", 5, 60);
        assertEquals("Ann", race.winner());
    }
}
