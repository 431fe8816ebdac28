/** Is killed by itself, with SIGKILL, in the middle of its work. */
public class Killed {
    static int step;

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100; i++)
            step = i;
        new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
        Thread.sleep(60000);
    }
}
