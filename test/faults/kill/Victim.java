import java.io.File;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A program that proves how far it came until it dies. Each of its threads works in rounds; at the end of round i
 * thread t calls work(t * 2^40 + i), and then slot t of a shared file holds i. The file is a mapping, so it survives
 * the process.
 *
 *     Victim SLOTS THREADS WORKLOAD HOW DELAY-MS SCRATCH
 *
 * WORKLOAD is what a round does. HOW is how the program ends DELAY-MS after all threads have begun: `wait` leaves that
 * to others; for the others the slots are copied (slot 64 + t) right before. Classes in Victim$Plain are not to be
 * woven: a woven counter would count itself.
 */
public class Victim {
    static final int COPY = 64;
    static native void crash(int how);

    static long work(long value) { return value ^ 1; }

    static class Plain {
        static LongBuffer slots;
        static volatile Object kept;

        static void done(int t, long i) { slots.put(t, i); }

        static void pause() {
            for (long until = System.nanoTime() + 20_000; System.nanoTime() < until;) Thread.onSpinWait();
        }
    }

    interface Round {
        void run(int t, long i) throws Exception;
    }

    // ---- workloads ----

    /**
     * Only the calls; with a pause now and then, so that the trace stays small and yet a kill hits a working thread.
     */
    static void calls(int t, long i) { if (i % 8 == 0) Plain.pause(); }

    static class Node {
        final String name;
        final Node next;
        final int[] data;

        Node(String name, Node next, int n) {
            this.name = name;
            this.next = next;
            data = new int[n];
            for (int k = 0; k < n; k++) data[k] = k * n;
        }

        int sum() {
            int s = 0;
            for (int v : data) s += v;
            return next == null ? s : s + next.sum();
        }
    }

    static int parse(String text) {
        if (text.length() % 7 == 3) throw new IllegalArgumentException("odd: " + text);
        return text.length();
    }

    static void objects(int t, long i) {
        Map<String, Node> map = new HashMap<>();
        Node last = null;
        for (int k = 0; k < 20; k++) map.put("k" + k, last = new Node("node " + i + "." + k, last, k));
        int h = last.sum();
        for (Map.Entry<String, Node> e : map.entrySet())
            try {
                h += parse(e.getKey() + e.getValue().name);
            } catch (IllegalArgumentException x) {
                h += x.getMessage().length();
            }
        if (h == 0) throw new IllegalStateException();
    }

    private static final ExecutorService pool = Executors.newFixedThreadPool(2, r -> {
        Thread thread = new Thread(r, "pool");
        thread.setDaemon(true);
        return thread;
    });
    private static final Object lock = new Object();
    private static long shared;

    static void tasks(int t, long i) throws Exception {
        pool.submit(() -> {
            synchronized (lock) {
                shared += new Node("task", null, 5).sum();
            }
        }).get();
    }

    public static class Unit {
        private int value;

        public int next() { return value += 3; }
    }

    /** A class of its own for every round. */
    static void classes(int t, long i) throws Exception {
        URL here = Victim.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader loader = new URLClassLoader(new URL[] { here }, ClassLoader.getPlatformClassLoader())) {
            Class<?> c = loader.loadClass("Victim$Unit");
            c.getMethod("next").invoke(c.getConstructor().newInstance());
        }
    }

    private static String scratch;

    /** The Eclipse compiler in thread 0. */
    static void ecj(int t, long i) throws Exception {
        if (t != 0) {
            calls(t, i);
            return;
        }
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream());
        Method compile = Class.forName("org.eclipse.jdt.core.compiler.batch.BatchCompiler")
            .getMethod("compile", String.class, PrintWriter.class, PrintWriter.class,
                Class.forName("org.eclipse.jdt.core.compiler.CompilationProgress"));
        compile.invoke(
            null, "-17 -g -proc:none -d " + scratch + " " + scratch + "/Source.java", nowhere, nowhere, null);
    }

    private static final ThreadLocal<Connection> connection = new ThreadLocal<>();

    /** H2, one table for all threads. */
    static void sql(int t, long i) throws Exception {
        Connection c = connection.get();
        if (c == null) {
            connection.set(c = DriverManager.getConnection("jdbc:h2:mem:x;DB_CLOSE_DELAY=-1"));
            c.createStatement().execute("create table if not exists t (who int, n bigint, s varchar(40))");
        }
        try (PreparedStatement p = c.prepareStatement("insert into t values (?, ?, ?)")) {
            p.setInt(1, t);
            p.setLong(2, i);
            p.setString(3, "row " + i);
            p.execute();
        }
    }

    static Round round(String workload) {
        switch (workload) {
        case "calls": case "virtual": return Victim::calls;
        case "objects": return Victim::objects;
        case "tasks": return Victim::tasks;
        case "classes": return Victim::classes;
        case "ecj": return Victim::ecj;
        default: return Victim::sql;
        }
    }

    // ---- life and death ----

    static void live(Round round, int t) {
        long tag = (long) t << 40;
        try {
            for (long i = 1;; i++) {
                round.run(t, i);
                work(tag + i);
                Plain.done(t, i);
                if (i % 64 == 0) Thread.yield(); // a virtual thread gets another carrier
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static void die(String how, int threads) {
        for (int t = 0; t < threads; t++) Plain.slots.put(COPY + t, Plain.slots.get(t));
        List<byte[]> hoard = new ArrayList<>();
        Plain.kept = hoard;
        switch (how) {
        case "halt": Runtime.getRuntime().halt(7); break;
        case "exit": System.exit(7); break;
        case "throw": throw new IllegalStateException("thrown");
        case "segv": crash(0); break;
        case "abort": crash(1); break;
        default: for (;;) hoard.add(new byte[1 << 18]); // memory: until the JVM or the kernel ends it
        }
    }

    static Thread thread(String name, boolean virtual, Runnable body) throws Exception {
        if (virtual) // from Java 21 on
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[1]);
        String workload = args[2], how = args[3];
        scratch = args[5];
        try (RandomAccessFile file = new RandomAccessFile(args[0], "rw")) {
            Plain.slots = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4096)
                .order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        }
        if (how.equals("segv") || how.equals("abort")) System.load(new File(scratch, "libcrash.so").getAbsolutePath());
        List<Thread> all = new ArrayList<>();
        Round round = round(workload);
        for (int t = 0; t < threads; t++) {
            int me = t;
            all.add(thread("worker-" + t, workload.equals("virtual"), () -> live(round, me)));
        }
        if (how.equals("wait")) {
            for (Thread t : all) t.join();
            return;
        }
        for (int t = 0; t < threads; t++)
            while (Plain.slots.get(t) == 0) Thread.sleep(1);
        Thread.sleep(Long.parseLong(args[4]));
        die(how, threads);
    }
}
