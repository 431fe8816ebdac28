import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * A Java agent made with Byte Buddy for test/beside/agents.sh: advice around every call of Beside.step, and around
 * every constructor of Beside$Circle that changes what it is given. With the argument `late` it is installed when the
 * classes are loaded already. At the end it prints how many calls there were, and how many ended with an exception.
 */
public class Buddy {
    public static final AtomicLong entered = new AtomicLong(), left = new AtomicLong();

    public static class Count {
        @Advice.OnMethodEnter static void enter() { entered.incrementAndGet(); }

        @Advice.OnMethodExit(onThrowable = Throwable.class) static void exit() { left.incrementAndGet(); }
    }

    public static class Grow {
        @Advice.OnMethodEnter static void enter(@Advice.Argument(value = 0, readOnly = false) double radius) {
            radius = radius + 1.5;
        }
    }

    private static void install(Instrumentation i) {
        new AgentBuilder.Default().disableClassFormatChanges()
            .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
            .with(AgentBuilder.Listener.StreamWriting.toSystemError().withErrorsOnly())
            .type(ElementMatchers.named("Beside"))
            .transform((b, t, l, m, d) -> b.visit(Advice.to(Count.class).on(ElementMatchers.named("step"))))
            .type(ElementMatchers.named("Beside$Circle"))
            .transform((b, t, l, m, d) -> b.visit(Advice.to(Grow.class).on(ElementMatchers.isConstructor())))
            .installOn(i);
    }

    public static void premain(String args, Instrumentation i) throws Exception {
        if ("late".equals(args))
            for (String name : new String[] { "Beside", "Beside$Circle" })
                Class.forName(name, true, ClassLoader.getSystemClassLoader());
        install(i);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("buddy " + entered + " " + left)));
    }
}
