package static_leak;

import static org.junit.Assert.*;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class RegistryTest {
    @Test
    public void a() {
        Registry registry = new Registry();
        registry.register("printer");
        assertEquals(1, registry.count());
    }

    @Test
    public void b() {
        Registry registry = new Registry();
        registry.register("scanner");
        assertEquals(1, registry.count());
    }
}
