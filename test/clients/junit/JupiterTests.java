import static org.junit.jupiter.api.Assertions.*;

import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JupiterTests {
    Shop shop = new Shop();

    @BeforeEach
    void prices() {
        shop.price("tea", 300);
    }

    @Test
    @DisplayName("one tea costs 300")
    void one() {
        assertEquals(300, shop.order("a", "tea", 1).total);
    }

    @Test
    void three() {
        assertEquals(900, shop.order("a", "tea", 3).total, "three teas"); // three
    }

    @Test
    void absent() {
        assertTrue(shop.find("b").items.isEmpty()); // null
    }

    @Test
    void count() {
        assertEquals(600, shop.order("a", "tea", shop.parse("2 teas")).total); // parsed
    }

    @Test
    void all() {
        assertAll(
                () -> assertEquals(900, shop.order("a", "tea", 3).total), // first of all
                () -> assertEquals(1, shop.rebate(3)));
    }

    @Test
    void wrongType() {
        assertThrows(NullPointerException.class, () -> shop.refuse(3));
    }

    @Test
    @Disabled("not yet")
    void later() {}

    @Test
    void onlyElsewhere() {
        Assumptions.assumeTrue(shop.find("b") != null);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void many(int n) {
        assertEquals(300 * n, shop.order("a", "tea", n).total);
    }

    @TestFactory
    Stream<DynamicTest> made() {
        return Stream.of(
                DynamicTest.dynamicTest("first", () -> assertNull(shop.find("c"))),
                DynamicTest.dynamicTest("second", () -> fail("as it should")));
    }

    @Nested
    class Inner {
        @Test
        void inside() {
            assertSame(shop, shop);
        }

        @Test
        void wrong() {
            assertThrows(IllegalStateException.class, () -> shop.find("d"));
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class NoSetUp {
        @BeforeAll
        void setUp() {
            throw new IllegalStateException("no database");
        }

        @Test
        void never() {}
    }

    @Nested
    @Disabled("all of it")
    class Off {
        @Test
        void never() {}
    }
}
