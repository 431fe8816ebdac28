import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As many tests as the property says, of which three fail: for a wrong entry of a table that set-up writes. Two of
 * them, of which one fails, take long. */
class ManyTests {
    static final int MANY = Integer.getInteger("many", 30), KILLED = Integer.getInteger("killed", -1);
    static int[] rebates;
    static int calls;

    @BeforeAll
    static void fill() {
        rebates = new int[MANY];
        for (int i = 0; i < MANY; i++)
            rebates[i] = i % 7;
        for (int i : new int[] { MANY / 10, MANY / 2, MANY - 1 })
            rebates[i]++;
    }

    static IntStream numbers() {
        return IntStream.range(0, MANY);
    }

    static int price(int number, int pieces) {
        Basket basket = new Basket();
        for (int i = 0; i < pieces; i++)
            basket.add(number + i);
        return basket.sum() - rebates[number];
    }

    /** So much that it is stored while the test still runs. */
    static void work() throws InterruptedException {
        for (int i = 0; i < 30; i++)
            price(i % MANY, 50);
        Thread.sleep(1500);
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void price(int number) throws Exception {
        calls++;
        if (number == MANY / 10 || number == MANY / 10 + 1 || number == KILLED)
            work();
        if (number == KILLED)
            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        int expected = 0;
        for (int i = 0; i < 50; i++)
            expected += number + i;
        assertEquals(expected - number % 7, price(number, 50));
    }
}
