package sublist_view;

import static org.junit.Assert.*;

import org.junit.Test;

public class HistoryTest {
    @Test
    public void counts() {
        History history = new History();
        history.visit("a");
        assertEquals(1, history.count());
    }

    @Test
    public void latestIsACopy() {
        History history = new History();
        for (String page : "a b c".split(" ")) history.visit(page);
        history.latest(2).clear();
        assertEquals(3, history.count());
    }
}
