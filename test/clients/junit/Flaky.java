// Fails in its third run: the file flaky.runs in the current folder counts them.
import org.junit.Assert;
import org.junit.Test;
import java.nio.file.*;
public class Flaky {
    @Test public void third() throws Exception {
        Path p = Path.of("flaky.runs");
        int n = Files.exists(p) ? Integer.parseInt(Files.readString(p)) : 0;
        Files.writeString(p, "" + (n + 1));
        Assert.assertTrue("run " + n, n < 2);
    }
}
