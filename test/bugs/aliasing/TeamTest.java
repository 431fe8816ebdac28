package aliasing;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class TeamTest {
    List<String> staff = new ArrayList<>(Arrays.asList("Ann"));

    @Test
    public void one() {
        Team red = new Team("red", staff);
        red.join("Ben");
        assertEquals("red: Ann, Ben", red.describe());
    }

    @Test
    public void two() {
        Team red = new Team("red", staff), blue = new Team("blue", staff);
        red.join("Ben");
        blue.join("Cid");
        assertEquals("blue: Ann, Cid", blue.describe());
    }
}
