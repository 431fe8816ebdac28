// Exceptions that code throws which is not woven, or the JVM: the line that threw is not that of the handler.
import java.util.Objects;
import java.util.Optional;

public class Thrown {
    static int parsed(String text) {
        int factor = 10;
        try {
            factor++;
            return Integer.parseInt(text) * factor; // PARSED
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    static int length(String text) {
        try {
            int length = 0;
            length += text.length(); // LENGTH: its message is computed by the JVM
            return length;
        } catch (NullPointerException e) {
            return -1;
        }
    }

    static void required(Object o) {
        try {
            Objects.requireNonNull(o); // REQUIRED: without a message
        } catch (NullPointerException e) {
            return;
        }
    }

    static void thrown(boolean now) {
        NullPointerException mine = new NullPointerException();
        try {
            if (now)
                throw mine; // NOW
            Optional.empty().orElseThrow(() -> mine); // MINE: created above, without a message
        } catch (NullPointerException e) {
            return;
        }
    }

    static void left(Object o) {
        int before = 1;
        o.hashCode(); // LEFT
    }

    static void inner(Object o) {
        int before = 1;
        o.hashCode(); // INNER
        before++;
    }

    static void outer(Object o) {
        inner(o); // OUTER: it leaves here, not at the last line
        int after = 1;
    }

    static void again(Object o) {
        try {
            outer(o);
        } catch (NullPointerException e) {
            throw e; // AGAIN: it leaves here, not at the call
        }
    }

    public static void main(String[] args) {
        parsed("1O");
        length(null);
        required(null);
        thrown(true);
        thrown(false);
        try {
            left(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            again(null);
        } catch (NullPointerException e) {
            System.out.println("again");
        }
    }
}
