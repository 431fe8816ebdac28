package java.lang;

import jdk.internal.vm.annotation.Hidden;

/**
 * With format=exceptions the trace has calls of these for each throw that leaves its method: one of frame for each
 * frame of the stack, innermost first, each followed by one of variable for each variable of the frame whose value is
 * known, or of redacted; then one of thrown, which throws it. The agent calls them (logging/agent/thrown_stacks.c).
 */
final class HindsightThrow {
    private HindsightThrow() {}

    /** The line is -1 where it is not known, -2 in native code. */
    @Hidden static void frame(String type, String method, String file, int line) {}

    @Hidden static void variable(String name, boolean value) {}

    @Hidden static void variable(String name, byte value) {}

    @Hidden static void variable(String name, char value) {}

    @Hidden static void variable(String name, short value) {}

    @Hidden static void variable(String name, int value) {}

    @Hidden static void variable(String name, long value) {}

    @Hidden static void variable(String name, float value) {}

    @Hidden static void variable(String name, double value) {}

    @Hidden static void variable(String name, Object value) {}

    @Hidden static void redacted(String name) {}

    /** Caught by that frame, counted from 0; -1: by none. Frames of the stack that were left out: `more`. */
    @Hidden static void thrown(Throwable t, int caught, int more) throws Throwable { throw t; }

    /** From here on, for a second, throws of the thread may be missing: recording them would have taken too long. */
    @Hidden static void limited() {}
}
