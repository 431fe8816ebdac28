package ch.qos.logback.core;

/** Stands for a log framework whose classes are woven: the call of the program is two frames above the write. */
public class Appender {
    public static void info(String message) { append("INFO " + message); }

    private static void append(String line) { System.out.println(line); }
}
