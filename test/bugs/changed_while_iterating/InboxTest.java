package changed_while_iterating;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;

public class InboxTest {
    Inbox inbox = new Inbox();

    @Test
    public void none() {
        inbox.receive("Lunch?", "WIN a car");
        inbox.dropSpam();
        assertEquals(Collections.singletonList("Lunch?"), inbox.subjects());
    }

    @Test
    public void twoInARow() {
        inbox.receive("Lunch?", "WIN a car", "WIN a house", "Minutes");
        inbox.dropSpam();
        assertEquals(Arrays.asList("Lunch?", "Minutes"), inbox.subjects());
    }
}
