package java.lang;

import jdk.internal.vm.annotation.Hidden;

/** With stdout=true the trace has a call of these for each write to standard output or standard error. */
final class HindsightOutput {
    private HindsightOutput() {}

    @Hidden static void stdout(String text) {}

    @Hidden static void stderr(String text) {}
}
