package java.lang;

import java.util.EnumSet;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import jdk.internal.vm.annotation.Hidden;

/**
 * Variables of the frames of the current thread, all by one walk over the stack. JVMTI stops all threads for each
 * variable before JDK 21. Classes that JDKs have from 9 on: see jdk_walks_locals.
 */
final class HindsightHookLocals
    implements Function<Stream<StackWalker.StackFrame>, Object>, Consumer<StackWalker.StackFrame> {
    private static final StackWalker WALKER = StackWalker.newInstance(
        EnumSet.of(StackWalker.Option.SHOW_HIDDEN_FRAMES), StackWalker.ExtendedOption.LOCALS_AND_OPERANDS);

    private final Object[][] frames;
    private int next = -1; // the first one is that of frames()

    private HindsightHookLocals(int count) { frames = new Object[count][]; }

    /** Of each frame, from the caller's on, its slots: objects, or what `bits` takes. */
    @Hidden static Object[][] frames(int count) {
        HindsightHookLocals locals = new HindsightHookLocals(count);
        WALKER.walk(locals);
        return locals.frames;
    }

    @Override @Hidden public Object apply(Stream<StackWalker.StackFrame> stream) {
        Spliterator<StackWalker.StackFrame> all = stream.spliterator();
        while (next < frames.length && all.tryAdvance(this)) continue;
        return null;
    }

    @Override @Hidden public void accept(StackWalker.StackFrame frame) {
        if (next >= 0) frames[next] = ((LiveStackFrame) frame).getLocals();
        next++;
    }

    /** Does the slot have a value of such a type? Where the JVM knows none it has 4 bytes. */
    @Hidden static boolean isKnown(Object slot, boolean primitive) {
        return slot instanceof LiveStackFrame.PrimitiveSlot
            ? primitive && ((LiveStackFrame.PrimitiveSlot) slot).size() == Long.BYTES : !primitive;
    }

    /** Of a primitive value; an int in the lower half. */
    @Hidden static long bits(Object slot) { return ((LiveStackFrame.PrimitiveSlot) slot).longValue(); }
}
