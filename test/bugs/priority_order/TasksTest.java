package priority_order;

import static org.junit.Assert.*;

import org.junit.Test;

public class TasksTest {
    @Test
    public void one() {
        Tasks tasks = new Tasks();
        tasks.add("sweep", 1);
        assertEquals("sweep", tasks.next());
    }

    @Test
    public void mostUrgentFirst() {
        Tasks tasks = new Tasks();
        tasks.add("sweep", 1);
        tasks.add("extinguish", 9);
        assertEquals("extinguish", tasks.next());
    }
}
