import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;

/**
 * Works until it is killed, and proves how far it came: after work(i) of thread t, slot t of a shared file holds i. The
 * file is a mapping, so it survives the process as the journal does. Arguments: FILE THREADS HOW [ROUNDS]; HOW is loop, halt, exit, throw
 * (after ROUNDS in the main thread). The value of each call is t * 2^40 + i, so that the trace tells whose it is.
 */
public class KillMe {
    static long work(long value) { return value ^ 1; }

    static class Pace { // not woven
        static void wait20us() { for (long until = System.nanoTime() + 20_000; System.nanoTime() < until; ) Thread.onSpinWait(); }
    }

    static void run(LongBuffer slots, int t, long rounds) {
        long tag = (long) t << 40;
        for (long i = 1; i <= rounds; i++) {
            work(tag + i);
            slots.put(t, i);
            if (i % 8 == 0) Pace.wait20us(); // so that the trace stays small enough to look at, and yet a kill hits a working thread
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[1]);
        LongBuffer slots;
        try (RandomAccessFile file = new RandomAccessFile(args[0], "rw")) {
            slots = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4096).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        }
        for (int t = 1; t < threads; t++) {
            int me = t;
            Thread thread = new Thread(() -> run(slots, me, Long.MAX_VALUE), "worker-" + t);
            thread.setDaemon(true);
            thread.start();
        }
        run(slots, 0, args[2].equals("loop") ? Long.MAX_VALUE : Long.parseLong(args[3]));
        switch (args[2]) {
            case "halt": Runtime.getRuntime().halt(7); break;
            case "exit": System.exit(7); break;
            default: throw new IllegalStateException("thrown");
        }
    }
}
