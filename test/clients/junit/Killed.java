import static org.junit.Assert.assertEquals;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** The JVM ends in the last of these (many.sh). */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class Killed {
    @Test
    public void apasses() {
        assertEquals(2, "aa".length());
    }

    @Test
    public void afails() {
        assertEquals(3, "aa".length());
    }

    @Test
    public void blast() throws Exception {
        if (System.getProperty("how").equals("exit")) System.exit(5);
        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start();
        Thread.sleep(60_000);
    }
}
