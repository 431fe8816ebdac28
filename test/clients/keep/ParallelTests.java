import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of several threads, of which three fail. */
@Execution(ExecutionMode.CONCURRENT)
class ParallelTests {
    static IntStream numbers() {
        return IntStream.range(0, 40);
    }

    static int sum(int number) {
        Basket basket = new Basket();
        for (int i = 0; i < 100; i++)
            basket.add(number + i);
        return basket.sum();
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void adds(int number) {
        assertEquals(number % 20 == 7 ? 1 : 100 * number + 4950, sum(number));
    }

    @RepeatedTest(20)
    void repeats(RepetitionInfo info) {
        int number = info.getCurrentRepetition();
        assertEquals(number == 5 ? 1 : 100 * number + 4950, sum(number));
    }
}
