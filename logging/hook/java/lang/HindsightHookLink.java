package java.lang;

/**
 * Says whether the JVM finds native methods in the agent's library: an agent that is attached is looked into only
 * after a while.
 */
final class HindsightHookLink {
    private HindsightHookLink() {}

    static native boolean there();
}
