package state_machine;

import static org.junit.Assert.*;

import org.junit.Test;

public class DoorTest {
    @Test
    public void opens() {
        Door door = new Door();
        door.turn(false);
        assertEquals(Door.State.OPEN, door.state());
    }

    @Test
    public void locks() {
        Door door = new Door();
        door.turn(true);
        assertEquals(Door.State.LOCKED, door.state());
    }
}
