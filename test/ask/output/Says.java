import ch.qos.logback.core.Appender;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.logging.*;

/**
 * Says WAY...: writes in each of these ways (methods without parameters), or in all that leave the streams open. Each
 * write has @ and the number of the line of this file that makes it; of another thread also /NAME of the thread.
 */
public class Says {
    static String here() { return "@" + line(); }

    /** The line so many further down, which writes what is held back until then. */
    static String here(int further) { return "@" + (line() + further); }

    private static int line() {
        return StackWalker.getInstance().walk(s -> s.skip(2).findFirst().get().getLineNumber());
    }

    static void println() { System.out.println("println " + here()); }

    static void print() {
        System.out.print("one " + here());
        System.out.print(" two " + here());
        System.out.println(" three " + here());
    }

    static void primitives() {
        System.out.print(1);
        System.out.print('c');
        System.out.print(2.5f);
        System.out.print(true);
        System.out.println(here());
        System.out.println(new char[] { 'x', 'y' });
        System.out.println((Object) null);
    }

    static void printf() {
        System.out.printf("%s and %d%n", here(), 42);
        System.out.format(Locale.ROOT, "%5.2f %s%n", 3.14159, here());
    }

    static void append() { System.out.append("append ").append(here()).append('\n'); }

    static void bytes() throws IOException {
        System.out.write(("bytes " + here() + "\n").getBytes());
        System.out.writeBytes(("more " + here() + "\n").getBytes());
        byte[] part = ("xx part " + here(1) + "\n--").getBytes();
        System.out.write(part, 3, part.length - 5);
    }

    /** What is held back until the newline is written by the call that has it. */
    static void singleBytes() {
        for (byte b : ("single " + here(2)).getBytes())
            System.out.write(b);
        System.out.write('\n');
    }

    static void err() {
        System.err.println("to err " + here());
        System.out.print("out and ");
        System.err.print("err and " + here());
        System.out.println("out " + here());
        System.err.println("err " + here());
    }

    static void logging() {
        Logger log = Logger.getLogger("says");
        log.info("logged " + here());
        log.log(Level.SEVERE, "with {0} " + here(), "parameters");
    }

    static void framework() { Appender.info("by a framework " + here()); }

    static void systemLogger() { System.getLogger("system").log(System.Logger.Level.WARNING, "system " + here()); }

    static class Named {
        final String line;

        Named(String line) { this.line = line; }

        public String toString() { return String.valueOf(line.length()).repeat(2) + " named " + line; }
    }

    static void object() { System.out.println(new Named(here())); }

    static class Loud {
        public String toString() {
            System.out.println("within toString " + here());
            return "loud ";
        }
    }

    static void nested() { System.out.println(new Loud() + here()); }

    static void lambdas() {
        List.of("a ", "b ").forEach(s -> System.out.println(s + here()));
        List.of(here()).forEach(System.out::println);
        List.of(3, 1, 2).stream().map(i -> i + " " + here()).sorted().forEach(System.out::println);
    }

    static void lines() {
        System.out.print("first of three " + here() + "\nsecond\nthird\n");
        System.out.println();
        System.out.print("carriage return " + here() + "\r\n");
        System.out.print("\n\n");
        System.out.println("tab\tbell\007 nul\0 " + here());
    }

    static void characters() {
        System.out.println("\u00e4\u20ac\ud83d\ude00 " + here());
        byte[] euro = "\u20ac".getBytes(StandardCharsets.UTF_8);
        for (byte b : euro) {
            System.out.write(b);
            System.out.flush();
        }
        System.out.println(" in parts " + here());
        System.out.write(0xff);
        System.out.println(" no text " + here());
    }

    static void longLine() {
        System.out.println("x".repeat(20_000) + here());
        System.out.println("\u00e4".repeat(9_000) + here());
    }

    static void twoThreads() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++)
            threads.add(new Thread(() -> {
                for (int k = 0; k < 40; k++) {
                    System.out.println(k + " " + here() + "/" + Thread.currentThread().getName());
                    System.err.println(k + " " + here() + "/" + Thread.currentThread().getName());
                }
            }, "writer" + i));
        for (Thread t : threads)
            t.start();
        for (Thread t : threads)
            t.join();
    }

    static void sharedLine() throws InterruptedException {
        System.out.print("begun " + here());
        Thread t = new Thread(() -> System.out.print(" other " + here() + "/sharer"), "sharer");
        t.start();
        t.join();
        System.out.println(" ended " + here());
    }

    static void setOut() {
        PrintStream before = System.out;
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true));
        System.out.println("by another stream " + here());
        System.setOut(new PrintStream(new ByteArrayOutputStream(), true));
        System.out.println("never seen");
        System.setOut(before);
        System.out.println("by the first one " + here());
    }

    static void buffered() {
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 4096));
        out.println("held back until " + here(2));
        out.print("so is this " + here(1) + "\n");
        out.flush();
    }

    static void writers() throws IOException {
        PrintWriter writer = new PrintWriter(System.out);
        writer.println("by a writer " + here(1));
        writer.flush();
        new FileOutputStream(FileDescriptor.out).write(("by the descriptor " + here() + "\n").getBytes());
    }

    static void trace() {
        try {
            Object o = null;
            o.hashCode();
        } catch (NullPointerException e) {
            e.printStackTrace();
            System.out.println("caught " + here());
        }
    }

    static void console() { System.out.println((System.console() == null) + " " + here()); }

    static class Initialized {
        static { System.out.println("by an initializer " + here()); }

        static void touch() {}
    }

    static void initializer() { Initialized.touch(); }

    static void reflection() throws Exception {
        PrintStream.class.getMethod("println", String.class).invoke(System.out, "by reflection " + here());
    }

    static void atExit() {
        Runnable says = () -> System.out.println("at exit " + here() + "/hook");
        Runtime.getRuntime().addShutdownHook(new Thread(says, "hook"));
    }

    static void unended() { System.out.print("no newline " + here()); }

    static void closed() {
        System.out.println("before " + here());
        System.out.close();
        System.out.println("after");
        new PrintStream(new FileOutputStream(FileDescriptor.out), true).println("after, too");
        System.err.println("err goes on " + here());
    }

    static void thrown() { throw new IllegalStateException("nobody catches it"); }

    static final String[] ALL = { "println", "print", "primitives", "printf", "append", "bytes", "singleBytes", "err",
        "logging", "framework", "systemLogger", "object", "nested", "lambdas", "lines", "characters", "longLine",
        "twoThreads", "sharedLine", "setOut", "buffered", "writers", "trace", "console", "initializer", "reflection",
        "atExit", "unended" };

    public static void main(String[] ways) throws Throwable {
        for (String way : ways.length > 0 ? ways : ALL)
            try {
                Says.class.getDeclaredMethod(way).invoke(null);
            } catch (java.lang.reflect.InvocationTargetException e) {
                throw e.getCause();
            }
    }
}
