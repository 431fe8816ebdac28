import java.io.FileWriter;
import java.io.IOException;
import java.io.Writer;

/** Uses its standard input, output and error, and a child that inherits them; writes into the file what it came to. */
public class Closed {
    public static void main(String[] args) throws Exception {
        System.err.println("standard error");
        System.out.println("standard output");
        String said;
        try {
            said = "input " + System.in.read();
        } catch (IOException e) {
            said = e.getMessage();
        }
        Process child = new ProcessBuilder("sh", "-c", "echo child >>\"$0\"", args[0]).inheritIO().start();
        said += ", child " + child.waitFor();
        try (Writer w = new FileWriter(args[0], true)) {
            w.write(said + ", errors " + System.out.checkError() + " " + System.err.checkError() + "\n");
        }
    }
}
