// Switches over types, as Decides.java.
// java: 21
// javac: --release 21 -g
public class Patterns {
    /** As Log, which is compiled for an older Java. */
    static final class Log {
        static String now = "";

        static void in(String... decisions) {
            for (String d : decisions) now = "\t" + d + now;
        }

        static void out(int count) {
            while (count-- > 0) now = now.indexOf(0x9, 1) < 0 ? "" : now.substring(now.indexOf(0x9, 1));
        }

        static void ask(String name) {
            System.out.println(name + now);
        }
    }

    record Box(int size) {}

    static int line() {
        return StackWalker.getInstance().walk(s -> s.skip(1).findFirst().get().getLineNumber());
    }

    static void pick(Object o) {
        Log.in("call pick");
        switch (o) {
        case Integer i when i > 10 -> {
            Log.in("o is the case at line " + (line() - 1) + "|java.lang.Integer", "i > 10|" + i + " > 10");
            Log.ask("?guarded");
            Log.out(2);
        }
        case String s -> {
            Log.in("o is the case at line " + (line() - 1) + "|\"text\"");
            Log.ask("?string");
            Log.out(1);
        }
        default -> {
            Log.in("o is none of the cases|Patterns$Box");
            Log.ask("?default");
            Log.out(1);
        }
        }
        if (o instanceof Box b && b.size() > 3) {
            Log.in("o instanceof Box|true", "b.size() > 3|" + b.size() + " > 3");
            Log.ask("?record");
            Log.out(2);
        }
        Log.out(1);
    }

    public static void main(String[] args) {
        pick(11);
        pick("text");
        pick(new Box(4));
    }
}
