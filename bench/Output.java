/** Output LINES: writes so many lines to standard output, each by println; the time of it in ms on standard error. */
public class Output {
    public static void main(String[] args) {
        int lines = Integer.parseInt(args[0]);
        long begin = System.nanoTime();
        for (int i = 0; i < lines; i++)
            System.out.println("line " + i + " of the output of this program");
        System.err.println((System.nanoTime() - begin) / 1_000_000);
    }
}
