import java.util.ArrayList;
import java.util.List;

/** Works for some seconds and makes events all the time; says how long its slowest round took. */
public class Load {
    static int work(int n) {
        List<String> list = new ArrayList<>();
        for (int i = 0; i < n; i++) list.add("s" + (i % 50));
        int h = 0;
        for (String s : list) h += s.hashCode();
        return h;
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L, worst = 0;
        int h = 0, rounds = 0;
        for (long now = System.nanoTime(); now < end; rounds++) {
            h += work(200);
            long then = now;
            now = System.nanoTime();
            if (rounds > 1000) worst = Math.max(worst, now - then);
        }
        System.out.println("rounds " + rounds + " slowest_ms " + worst / 1_000_000 + " " + (h != 0));
    }
}
