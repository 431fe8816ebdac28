package listener_twice;

import static org.junit.Assert.*;

import org.junit.Test;

public class ButtonTest {
    @Test
    public void once() {
        Button button = new Button();
        Counter counter = new Counter();
        counter.show(button);
        button.click();
        assertEquals(1, counter.clicks());
    }

    @Test
    public void shownAgain() {
        Button button = new Button();
        Counter counter = new Counter();
        counter.show(button);
        counter.show(button);
        button.click();
        assertEquals(1, counter.clicks());
    }
}
