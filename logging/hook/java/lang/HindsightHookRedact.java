package java.lang;

import jdk.internal.vm.annotation.Hidden;

/** Called by woven code with an object of a place that redact= names, before anything records it. */
public final class HindsightHookRedact {
    private HindsightHookRedact() {}

    @Hidden public static void note(Object o) { noteText(o, HindsightHook.knownId(o)); }

    /** With an id above 0 its content may be in the trace. */
    @Hidden private static native void noteText(Object o, long id);
}
