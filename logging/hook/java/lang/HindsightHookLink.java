package java.lang;

/**
 * Says whether the JVM finds native methods in the agent's library: an agent that is attached is looked into only
 * after a while.
 */
final class HindsightHookLink {
    private HindsightHookLink() {}

    static native boolean there();

    /**
     * Replaces a native method of Java agents (class_hook.c). From Java: of native methods that code outside of the
     * boot loader registers the JVM warns on the program's standard output.
     */
    static boolean replace() {
        return replaced();
    }

    private static native boolean replaced();
}
