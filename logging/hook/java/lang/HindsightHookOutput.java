package java.lang;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.Charset;

import jdk.internal.vm.annotation.Hidden;

/**
 * With stdout=true: called by FileOutputStream before it writes. What goes to standard output or standard error becomes
 * a call of HindsightOutput, which is woven like a class of the program.
 */
public final class HindsightHookOutput {
    private static Charset charset;

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
            if (fd == FileDescriptor.out)
                HindsightOutput.stdout(text(bytes, at, length));
            else if (fd == FileDescriptor.err)
                HindsightOutput.stderr(text(bytes, at, length));
        } catch (Throwable t) {
            // not recorded
        }
    }

    @Hidden private static String text(byte[] bytes, int at, int length) {
        if (charset == null) {
            String name = System.getProperty("stdout.encoding"); // from JDK 19 on
            charset = Charset.forName(name != null ? name : System.getProperty("native.encoding"));
        }
        return new String(bytes, at, length, charset);
    }
}
