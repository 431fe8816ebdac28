/** What needs room: more threads than lanes fit, a long text, and calls that are deep. */
public class Wide {
    static String text(int lines) {
        StringBuilder made = new StringBuilder();
        for (int i = 0; i < lines; i++) made.append("line ").append(i).append(" of a text that is long\n");
        return made.toString();
    }

    static int deep(int n) {
        return n == 0 ? 0 : 1 + deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 16; i++) {
            Thread thread = new Thread(() -> deep(3), "worker " + i);
            thread.start();
            thread.join();
        }
        String text = text(40);
        System.out.println(text.length() + deep(80));
    }
}
