import java.io.PrintStream;
import java.nio.charset.Charset;

/** Characters of two units, in the charset that the first argument names; a character and a newline in parts. */
public class Wide {
    public static void main(String[] args) throws Exception {
        Charset charset = Charset.forName(args[0]);
        PrintStream out = new PrintStream(System.out, true, charset.name());
        out.println("\u010a first \ud83d\ude00");
        out.print("half \ud83d");
        out.println("\ude00 \u0a0a\u0a0d");
        out.print("lone \ud83d. \u20ac\r\n\n");
        byte[] bytes = "by byte \ud83d\ude00\u00e4\n".getBytes(charset);
        int mark = args[0].equals("UTF-16") ? 2 : 0; // of a new encoder
        for (int i = mark; i < bytes.length; i++) {
            out.write(bytes[i]);
            out.flush();
        }
        out.print("the end");
        out.flush();
    }
}
