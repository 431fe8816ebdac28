package java.lang;

import jdk.internal.vm.annotation.Hidden;

/**
 * With stdout=true the trace has a call of these for each write to standard output or standard error: of text that is
 * the written bytes in UTF-8; or of the bytes, a char of `bytes` each, that are in another charset or no whole text.
 */
final class HindsightOutput {
    private HindsightOutput() {}

    @Hidden static void stdout(String text) {}

    @Hidden static void stderr(String text) {}

    @Hidden static void stdoutBytes(String charset, String bytes) {}

    @Hidden static void stderrBytes(String charset, String bytes) {}
}
