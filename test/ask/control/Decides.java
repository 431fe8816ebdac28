// Each question is a call Log.ask("?..."); the answer of `why --control` must be what Log has printed.
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class Decides {
    enum Color { RED, GREEN, BLUE }

    static int max = 100;
    boolean open;
    int state;

    static void branches(int x, int y) {
        Log.in("call branches");
        Log.ask("?entry");
        if (x > max) {
            Log.in("x > max|" + x + " > " + max);
            Log.ask("?then");
            Log.out(1);
        } else if (x == y) {
            Log.in("x <= max|" + x + " <= " + max, "x == y|" + x + " == " + y);
            Log.ask("?else if");
            Log.out(2);
        } else {
            Log.in("x <= max|" + x + " <= " + max, "x != y|" + x + " != " + y);
            Log.ask("?else");
            Log.out(2);
        }
        Log.ask("?behind if");
        if (x > 5 && y > 5) {
            Log.in("x > 5|" + x + " > 5", "y > 5|" + y + " > 5");
            Log.ask("?and");
            Log.out(2);
        }
        if (x < 5 || y < 5) {
            if (x < 5) Log.in("x < 5|" + x + " < 5");
            else Log.in("x >= 5|" + x + " >= 5", "y < 5|" + y + " < 5");
            Log.ask("?or");
            Log.out(x < 5 ? 1 : 2);
        }
        if (!(x > 5 && y > 5) && (x + y) % 2 == 0) {
            if (x > 5) Log.in("x > 5|" + x + " > 5", "y <= 5|" + y + " <= 5");
            else Log.in("x <= 5|" + x + " <= 5");
            Log.in("(x + y) % 2 == 0|0 == 0");
            Log.ask("?not and");
            Log.out(x > 5 ? 3 : 2);
        }
        int z = x > y ? chosen(1, "x > y|" + x + " > " + y) : chosen(2, "x <= y|" + x + " <= " + y);
        Log.ask("?behind ternary");
        if (x < 0) {
            Log.out(1);
            return;
        }
        Log.in("x >= 0|" + x + " >= 0");
        Log.ask("?not returned");
        Log.out(2);
    }

    static int chosen(int n, String decision) {
        Log.in(decision, "call chosen");
        Log.ask("?chosen " + n);
        Log.out(2);
        return n;
    }

    static void loops(int n) {
        Log.in("call loops");
        for (int i = 0; i < n; i++) {
            Log.in("i < n|" + i + " < " + n);
            Log.ask("?for");
            if (i % 2 == 0) {
                Log.out(1);
                continue;
            }
            Log.in("i % 2 != 0|" + i % 2 + " != 0");
            Log.ask("?not continued");
            Log.out(2);
        }
        Log.ask("?behind for");
        int k = 0;
        while (true) {
            if (k == n) break;
            Log.in("k != n|" + k + " != " + n);
            Log.ask("?while true");
            Log.out(1);
            k++;
        }
        Log.ask("?behind while true");
        int d = 0;
        do {
            if (d > 0) Log.in("d < 3|" + d + " < 3");
            Log.ask("?do");
            if (d > 0) Log.out(1);
            d++;
        } while (d < 3);
        Log.ask("?behind do");
        outer:
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 2; b++) {
                Log.in("a < 2|" + a + " < 2", "b < 2|" + b + " < 2");
                Log.ask("?inner");
                if (a == 1 && b == 0) break outer;
                Log.out(2);
            }
            Log.in("a < 2|" + a + " < 2", "b >= 2|2 >= 2");
            Log.ask("?behind inner");
            Log.out(2);
        }
        Log.out(2);
        Log.ask("?behind outer");
        int w = 0, limit = 10;
        while (w < n && limit > 8) {
            Log.in("w < n|" + w + " < " + n, "limit > 8|" + limit + " > 8");
            Log.ask("?two conditions");
            Log.out(2);
            w++;
            limit--;
        }
        Log.out(1);
    }

    static int search(int[] all, int wanted) {
        Log.in("call search");
        for (int i = 0; i < all.length; i++) {
            Log.in("i < all.length|" + i + " < " + all.length);
            if (all[i] == wanted) {
                Log.in("all[i] == wanted|" + all[i] + " == " + wanted);
                Log.ask("?found");
                Log.out(3);
                return i;
            }
            Log.out(1);
        }
        Log.in("i >= all.length|" + all.length + " >= " + all.length);
        Log.ask("?not found");
        Log.out(2);
        return -1;
    }

    static void values(long l, float f, double d, char c, Object o, String s, boolean flag) {
        Log.in("call values");
        if (l > 5L) {
            Log.in("l > 5|" + l + " > 5");
            Log.ask("?long");
            Log.out(1);
        }
        if (f < 1.5f) {
            Log.in("f < 1.5|" + f + " < 1.5");
            Log.ask("?float");
            Log.out(1);
        }
        if (d > 2.5) {
            Log.in("d > 2.5|" + d + " > 2.5");
            Log.ask("?double");
            Log.out(1);
        } else if (d != d) {
            Log.in("!(d > 2.5)|NaN unordered with 2.5", "d != d|NaN != NaN");
            Log.ask("?NaN");
            Log.out(2);
        }
        if (c == 'x') {
            Log.in("c == 'x'|120 == 120");
            Log.ask("?char");
            Log.out(1);
        }
        if (o == null) {
            Log.in("o == null|null == null");
            Log.ask("?null");
            Log.out(1);
        }
        if (o instanceof String) {
            Log.in("o instanceof String|true");
            Log.ask("?instanceof");
            Log.out(1);
        } else {
            Log.in("!(o instanceof String)|false");
            Log.ask("?not instanceof");
            Log.out(1);
        }
        if (s != null && s.length() > 2) {
            Log.in("s != null|\"" + s + "\" != null", "s.length() > 2|" + s.length() + " > 2");
            Log.ask("?length");
            Log.out(2);
        }
        if (flag) {
            Log.in("flag|true");
            Log.ask("?flag");
            Log.out(1);
        }
        if (!flag) {
            Log.in("!flag|false");
            Log.ask("?not flag");
            Log.out(1);
        }
        Log.out(1);
    }

    void fields(Decides other) {
        Log.in("call fields");
        if (open) {
            Log.in("open|true");
            Log.ask("?field");
            Log.out(1);
        }
        if (other.state * 2 == state + 1) {
            Log.in("other.state * 2 == state + 1|" + other.state * 2 + " == " + (state + 1));
            Log.ask("?computed");
            Log.out(1);
        }
        if (isOpen(other)) {
            Log.in("isOpen(other)|true");
            Log.ask("?call");
            Log.out(1);
        }
        Log.out(1);
    }

    static boolean isOpen(Decides d) {
        return d.open && d.state > 2;
    }

    static void switches(int n, String s, Color c) {
        Log.in("call switches");
        switch (n) {
        case 1:
        case 2:
            Log.in("n is 1 or 2|" + n);
            Log.ask("?1 or 2");
            Log.out(1);
            break;
        case 3:
            Log.in("n is 3|3");
            Log.ask("?3");
            Log.out(1);
            break;
        default:
            Log.in("n is none of the cases|" + n);
            Log.ask("?default");
            Log.out(1);
        }
        switch (n * 1000) {
        case 3000 -> {
            Log.in("n * 1000 is 3000|3000");
            Log.ask("?3000");
            Log.out(1);
        }
        case 70000 -> {
            Log.in("n * 1000 is 70000|70000");
            Log.ask("?70000");
            Log.out(1);
        }
        default -> {
            Log.in("n * 1000 is none of the cases|" + n * 1000);
            Log.ask("?no number");
            Log.out(1);
        }
        }
        switch (s) {
        case "Aa":
            Log.in("s is \"Aa\"|\"Aa\"");
            Log.ask("?Aa");
            Log.out(1);
            break;
        case "BB":
            Log.in("s is \"BB\"|\"BB\"");
            Log.ask("?BB");
            Log.out(1);
            break;
        default:
            Log.in("s is none of the cases|\"" + s + "\"");
            Log.ask("?other text");
            Log.out(1);
        }
        switch (c) {
        case GREEN:
            Log.in("c is the case at line " + new Throwable().getStackTrace()[0].getLineNumber() + "|Decides$Color");
            Log.ask("?green");
            Log.out(1);
            break;
        default:
            break;
        }
        Log.ask("?behind switches");
        Log.out(1);
    }

    static void check(int n) {
        Log.in("call check");
        if (n > 2) {
            Log.in("n > 2|" + n + " > 2");
            Log.throwing();
            throw new IllegalStateException("more than 2");
        }
        Log.out(1);
    }

    static void exceptions(int n) {
        Log.in("call exceptions");
        int depth = Log.depth();
        try {
            check(n);
            Log.ask("?not thrown");
        } catch (IllegalStateException e) {
            List<String> before = Log.caught("java.lang.IllegalStateException");
            Log.ask("?caught");
            if (n > 3) {
                Log.in("n > 3|" + n + " > 3");
                Log.ask("?in handler");
                Log.out(1);
            }
            Log.leave(before, depth);
        }
        Log.ask("?behind try");
        try {
            if (n == 1) {
                Log.in("n == 1|1 == 1");
                Log.throwing();
                throw new RuntimeException("caught here");
            }
            Log.in("n != 1|" + n + " != 1");
            Log.ask("?no throw");
            Log.out(1);
        } catch (RuntimeException e) {
            List<String> before = Log.caught("java.lang.RuntimeException");
            Log.ask("?caught here");
            Log.leave(before, depth);
        }
        Log.ask("?behind second try");
        int[] numbers = new int[n];
        try {
            for (int i = 0; i < 4; i++) {
                Log.in("i < 4|" + i + " < 4");
                Log.throwing();
                numbers[i] = i;
                Log.out(1);
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            List<String> before = Log.caught("java.lang.ArrayIndexOutOfBoundsException");
            Log.ask("?index");
            Log.leave(before, depth);
        } finally {
            Log.leave(new ArrayList<>(List.of("call exceptions")), 1);
        }
        Log.out(1);
    }

    static void monitor(Object lock, boolean b) {
        Log.in("call monitor");
        synchronized (lock) {
            if (b) {
                Log.in("b|true");
                Log.ask("?synchronized");
                Log.out(1);
            }
        }
        Log.ask("?behind synchronized");
        Log.out(1);
    }

    static int recursion(int n) {
        Log.in("call recursion");
        int result = 0;
        if (n > 0) {
            Log.in("n > 0|" + n + " > 0");
            result = recursion(n - 1) + 1;
            Log.out(1);
        } else {
            Log.in("n <= 0|" + n + " <= 0");
            Log.ask("?bottom");
            Log.out(1);
        }
        Log.out(1);
        return result;
    }

    static void library(List<Integer> list) {
        Log.in("call library");
        Iterator<Integer> it = list.iterator();
        while (it.hasNext()) {
            Log.in("it.hasNext()|true");
            if (it.next() > 4) {
                Log.in("it.next() > 4|5 > 4");
                Log.ask("?unboxed");
                Log.out(1);
            }
            Log.out(1);
        }
        list.forEach(v -> {
            Log.in("call forEach");
            if (v < 2) {
                Log.in("v < 2|" + v + " < 2");
                Log.ask("?lambda");
                Log.out(1);
            }
            Log.out(1);
        });
        Log.out(1);
    }

    public static void main(String[] args) throws Exception {
        branches(120, 3);
        branches(7, 7);
        branches(-2, 8);
        branches(6, 4);
        loops(3);
        search(new int[] { 4, 5, 6 }, 6);
        search(new int[] { 4, 5, 6 }, 7);
        values(6, 1.0f, 3.5, 'x', null, "abc", true);
        values(5, 2.0f, Double.NaN, 'y', "text", null, false);
        values(7, 1.25f, 2.0, 'x', 5, "ab", true);
        Decides a = new Decides(), b = new Decides();
        a.open = b.open = true;
        a.state = 5;
        b.state = 3;
        a.fields(b);
        switches(2, "Aa", Color.GREEN);
        switches(3, "BB", Color.RED);
        switches(70, "C", Color.GREEN);
        monitor(new Object(), true);
        recursion(3);
        library(List.of(1, 5, 3));
        exceptions(1);
        exceptions(3);
        exceptions(4);
        for (int i = 0; i < 2; i++) { // one after the other: both ask under the same names
            final int n = i;
            Thread thread = new Thread(() -> {
                if (n == 1) {
                    Log.in("n == 1|1 == 1");
                    Log.ask("?thread");
                    Log.out(1);
                }
                recursion(n);
            });
            thread.start();
            thread.join();
        }
    }
}
