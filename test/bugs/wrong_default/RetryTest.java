package wrong_default;

import static org.junit.Assert.*;

import java.util.Properties;
import org.junit.Test;

public class RetryTest {
    @Test
    public void asConfigured() {
        Properties properties = new Properties();
        properties.setProperty("attempts", "1");
        assertTrue(new Retry(properties).run(() -> true));
    }

    @Test
    public void asUsual() {
        assertTrue("the first attempt succeeds", new Retry(new Properties()).run(() -> true));
    }
}
