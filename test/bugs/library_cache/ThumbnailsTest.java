package library_cache;

import static org.junit.Assert.*;

import org.junit.Test;

public class ThumbnailsTest {
    @Test
    public void twice() {
        Thumbnails thumbnails = new Thumbnails();
        thumbnails.of("a");
        thumbnails.of("a");
        assertEquals(1, thumbnails.made());
    }

    @Test
    public void keepsWhatIsUsed() {
        Thumbnails thumbnails = new Thumbnails();
        for (String image : "a b a c a".split(" ")) thumbnails.of(image);
        assertEquals(3, thumbnails.made());
    }
}
