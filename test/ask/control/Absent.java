// Places that most calls do not reach: each call counts by itself why it did not come there, as
// "place\tsituation\tcondition that held\tcondition that is needed\tcalls", which why-not must answer. A place is the
// line of a comment "@name".
import java.util.List;

public class Absent extends Reasons {
    static int both(int a, int b) {
        int result = 0;
        if (a > 3 && b > 3) {
            result = 1; // @both
            is("both", "reached");
        } else if (a <= 3) {
            no("both", "a <= 3", "a > 3");
        } else {
            no("both", "b <= 3", "b > 3");
        }
        return result;
    }

    static int either(int a, int b) {
        int result = 0;
        if (a > 7 || b > 7) {
            result = 1; // @either
            is("either", "reached");
        } else {
            no("either", "b <= 7", "b > 7");
        }
        return result;
    }

    static int nested(int a, String s, boolean flag) {
        int result = 0;
        if (a % 2 == 0) {
            if (s != null) {
                if (flag) {
                    result = 1; // @nested
                    is("nested", "reached");
                } else {
                    no("nested", "!flag", "flag");
                }
            } else {
                no("nested", "s == null", "s != null");
            }
        } else {
            no("nested", "a % 2 != 0", "a % 2 == 0");
        }
        return result;
    }

    static int loop(int[] all, int wanted) {
        if (all.length == 0) no("loop", "i >= all.length", "i < all.length");
        int found = -1;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == wanted) {
                found = i; // @loop
                is("loop", "reached");
                break;
            }
        }
        if (all.length > 0 && found < 0) no("loop", "all[i] != wanted", "all[i] == wanted");
        return found;
    }

    static int early(int a) {
        if (a < 0) {
            no("early", "a < 0", "a >= 0");
            return 0;
        }
        if (a == 5) {
            no("early", "a == 5", "a != 5");
            throw new IllegalStateException("5");
        }
        a++; // @early
        is("early", "reached");
        return a;
    }

    static void check(int a) {
        if (a > 6) throw new IllegalArgumentException("more than 6");
    }

    static int thrown(int a) {
        if (a > 6) is("thrown", "exception");
        check(a);
        a++; // @thrown
        is("thrown", "reached");
        return a;
    }

    static int caught(int a) {
        int result = 0;
        if (a > 6) is("caught", "caught");
        try {
            check(a);
            result = 1; // @caught
            is("caught", "reached");
        } catch (IllegalArgumentException e) {
            result = 2; // @handler
            is("handler", "reached");
        }
        if (a <= 6) is("handler", "no_exception");
        return result;
    }

    static int choose(int n, String s) {
        int result = 0;
        switch (n) {
        case 4:
            result = 4; // @case
            is("case", "reached");
            break;
        case 6:
            no("case", "n is 6", "n is 4");
            break;
        default:
            no("case", "n is none of the cases", "n is 4");
        }
        switch (s) {
        case "a":
            result++; // @text
            is("text", "reached");
            break;
        default:
            no("text", "s is none of the cases", "s is \"a\"");
        }
        return result;
    }

    static int recursive(int n) {
        int result = 0;
        if (n > 0) {
            no("recursive", "n > 0", "n <= 0");
            result = recursive(n - 1);
        } else {
            result = 7; // @recursive
            is("recursive", "reached");
        }
        return result;
    }

    static void never(int a) {
        System.out.println(a);
    }

    static void calls(int a) {
        if (a == 1000) never(a);
        else no("Absent.never", "a != 1000", "a == 1000");
    }

    static void unused() {
        System.out.println("unused"); // @unused
    }

    static final class Late {
        static void run() {
            System.out.println("late");
        }
    }

    static void loads(Object o) {
        if (o instanceof List) Late.run();
        else no("Absent$Late.run", "!(o instanceof List)", "o instanceof List");
    }

    static void all(int i) {
        both(i, 10 - i);
        either(i, i + 2);
        nested(i, i % 3 == 0 ? null : "s", i % 4 == 0);
        loop(new int[i / 2], i == 4 ? 0 : 1);
        try {
            early(i - 2);
        } catch (IllegalStateException e) {
            e.getMessage();
        }
        try {
            thrown(i);
        } catch (IllegalArgumentException e) {
            e.getMessage();
        }
        caught(i);
        choose(i, i < 3 ? "a" : "b");
        recursive(i % 3);
        calls(i);
        loads(i);
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            for (int i = 5; i < 10; i++) all(i);
        });
        other.start();
        for (int i = 0; i < 5; i++) all(i);
        other.join();
        said.put("Absent.never\tnot_called\t\t", 0);
        said.put("unused\tnot_called\t\t", 0);
        said.put("unused\tno_caller\t\t", 0);
        said.put("Absent$Late.run\tnot_loaded\t\t", 0);
        print();
    }
}
