/** Texts that would be markup if a page did not escape them: a string, a thread name, a message, an object to open. */
public class Hostile {
    static final String SCRIPT = "<script>window.hit = 1</script>";
    final String image;
    long big = 9007199254740993L; // not a double
    double half = 2.50;

    Hostile(String image) {
        this.image = image;
    }

    int add(String text, int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum = sum + text.length();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Hostile h = new Hostile("<img src=x onerror='window.hit = 2'>");
        int times = args.length > 0 ? Integer.parseInt(args[0]) : 3;
        Thread t = new Thread(() -> h.add(SCRIPT, times), "</option><script>window.hit = 3</script>");
        t.start();
        t.join();
        try {
            throw new IllegalStateException("<svg onload=window.hit=4>");
        } catch (IllegalStateException e) {
            h.big++;
        }
    }
}
