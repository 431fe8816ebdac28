package recursion;

import static org.junit.Assert.*;

import org.junit.Test;

public class FolderTest {
    @Test
    public void flat() {
        assertEquals(6, new Folder(1).add(new Folder(2)).add(new Folder(3)).total());
    }

    @Test
    public void deep() {
        assertEquals(6, new Folder(1).add(new Folder(2).add(new Folder(3))).total());
    }
}
