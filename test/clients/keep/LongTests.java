import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of several chunks each, every second one fails; beside them a thread that runs all the time, and
 * around them frames of the program, in the middle of a recursion, whose variables are used when a test has ended. */
@ExtendWith(LongTests.Around.class)
class LongTests {
    static class Around implements InvocationInterceptor {
        static int ended;

        private int deep(Invocation<Void> test, int depth, long mixed) throws Throwable {
            if (depth > 0) {
                int below = deep(test, depth - 1, mixed * 31 + depth);
                return below + (int) (mixed % 7);
            }
            test.proceed();
            return (int) mixed;
        }

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> test, ReflectiveInvocationContext<Method> context, ExtensionContext extension)
                throws Throwable {
            long before = context.getArguments().get(0).hashCode();
            try {
                ended += deep(test, 4, before + ended);
            } finally {
                ended += (int) before;
            }
        }
    }

    static volatile boolean done;
    static final Thread beside = new Thread(() -> {
        for (int n = 1; !done; n = step(n, 31))
            LockSupport.parkNanos(100_000);
    });

    static {
        beside.setDaemon(true);
    }

    static int step(int sum, int i) {
        return (i & 3) == 0 ? sum + i : sum ^ i;
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 1, 2, 3, 4, 5 })
    void sums(int number) {
        if (number == 0)
            beside.start();
        int sum = 0;
        for (int i = 0; i < 4_000; i++)
            sum = step(sum, i);
        if (number == 5)
            done = true;
        assertEquals(sum + number % 2, sum);
    }
}
