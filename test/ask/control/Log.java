// What the programs of this folder say about themselves: each decision that they take is pushed by `in`, as
// "condition|values", and popped by `out`; ask(name) prints the decisions and calls that it stands under, newest first.
import java.util.ArrayList;
import java.util.List;

final class Log {
    private static final ThreadLocal<List<String>> now = ThreadLocal.withInitial(ArrayList::new);
    private static final ThreadLocal<List<String>> thrown = new ThreadLocal<>();

    static void in(String... decisions) {
        for (String d : decisions) now.get().add(d);
    }

    static void out(int count) {
        for (int i = 0; i < count; i++) now.get().remove(now.get().size() - 1);
    }

    static synchronized void ask(String name) {
        StringBuilder line = new StringBuilder(name);
        List<String> l = now.get();
        for (int i = l.size() - 1; i >= 0; i--) line.append('\t').append(l.get(i));
        System.out.println(line);
    }

    /** An exception will be thrown here. */
    static void throwing() {
        thrown.set(new ArrayList<>(now.get()));
    }

    /** It was caught: what stands in the handler stands under what threw. Returns what `leave` restores. */
    static List<String> caught(String type) {
        List<String> before = now.get();
        now.set(new ArrayList<>(thrown.get()));
        in("caught " + type);
        return before;
    }

    /** The handler ends; of the decisions before it only `kept` are still open. */
    static void leave(List<String> before, int kept) {
        now.set(new ArrayList<>(before.subList(0, kept)));
    }

    static int depth() {
        return now.get().size();
    }
}
