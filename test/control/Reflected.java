import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Scanner;

/**
 * Prints what reflection shows of the classes of ReflectionView, and a line number: once for each line of standard
 * input, which is printed behind it. So no attribute that a program can see is changed by a start or a stop.
 */
// javac: -g -parameters --release 17
public class Reflected {
    interface Named { String named(String first, final int second, Reflected... rest); }

    static String all() throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        System.setOut(new PrintStream(text));
        try {
            Class.forName("ReflectionView").getDeclaredMethod("main", String[].class).invoke(null, (Object) null);
            for (var m : Named.class.getDeclaredMethods())
                for (var p : m.getParameters()) System.out.println(p + " " + p.getModifiers() + p.isNamePresent());
            System.out.println(new Throwable().getStackTrace()[0]); // main runs on in its first version
        } finally {
            System.setOut(out);
        }
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        all(); // initializers print
        System.out.println("ready " + ProcessHandle.current().pid());
        for (Scanner in = new Scanner(System.in); in.hasNextLine();) {
            String word = in.nextLine();
            System.out.println(all() + word);
        }
    }
}
