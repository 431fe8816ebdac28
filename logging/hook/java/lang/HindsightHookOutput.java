package java.lang;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

import jdk.internal.vm.annotation.Hidden;

/**
 * With stdout=true: called by FileOutputStream before it writes. What goes to standard output or standard error becomes
 * a call of HindsightOutput, which is woven like a class of the program.
 */
public final class HindsightHookOutput {
    private static Charset charset; // of the standard streams
    private static boolean ascii;   // bytes below 0x80 are ASCII in it

    private HindsightHookOutput() {}

    @Hidden public static void written(FileOutputStream to, int b) { written(to, new byte[] { (byte) b }, 0, 1); }

    @Hidden public static void written(FileOutputStream to, byte[] bytes) {
        if (bytes != null)
            written(to, bytes, 0, bytes.length);
    }

    /** Never throws: what is wrong with the arguments is for the method that called this. */
    @Hidden public static void written(FileOutputStream to, byte[] bytes, int at, int length) {
        try {
            FileDescriptor fd = to.getFD();
            if (length > 0 && (fd == FileDescriptor.out || fd == FileDescriptor.err) && fd.valid())
                record(fd == FileDescriptor.out, bytes, at, length);
        } catch (Throwable t) {
            // not recorded
        }
    }

    /** As text where its UTF-8 gives exactly these bytes, else as the bytes. */
    @Hidden private static void record(boolean out, byte[] bytes, int at, int length) {
        if (charset == null)
            look();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        boolean same = charset.equals(StandardCharsets.UTF_8) ? text.indexOf('\ufffd') < 0
                                                              : ascii && isAscii(bytes, at, length);
        if (!same)
            text = new String(bytes, at, length, StandardCharsets.ISO_8859_1);
        if (same && out)
            HindsightOutput.stdout(text);
        else if (same)
            HindsightOutput.stderr(text);
        else if (out)
            HindsightOutput.stdoutBytes(charset.name(), text);
        else
            HindsightOutput.stderrBytes(charset.name(), text);
    }

    /** JDK 17 writes in the default charset, from 18 on that is always UTF-8 and native.encoding is the locale's. */
    @Hidden private static void look() {
        String name = System.getProperty("stdout.encoding"); // from JDK 19 on
        if (name == null)
            name = System.getProperty("sun.stdout.encoding"); // before, on a terminal
        String jdk = System.getProperty("java.vm.specification.version"); // "1.8", "11"
        if (name == null && !jdk.startsWith("1.") && Integer.parseInt(jdk) >= 18)
            name = System.getProperty("native.encoding");
        Charset c = name != null ? Charset.forName(name) : Charset.defaultCharset();
        byte[] all = new byte[128];
        for (int i = 0; i < all.length; i++)
            all[i] = (byte) i;
        ascii = new String(all, c).equals(new String(all, StandardCharsets.US_ASCII));
        charset = c;
    }

    @Hidden private static boolean isAscii(byte[] bytes, int at, int length) {
        for (int i = at; i < at + length; i++)
            if (bytes[i] < 0)
                return false;
        return true;
    }
}
