// Writes, throws and rounds of loops that do not come: each call counts by itself why, as
// "question\tsituation\tcondition that held\tcondition that is needed\tcalls", which why-not must answer. In a question
// @name is the line of a comment "@name".
import java.util.ArrayList;
import java.util.List;

public class Missing extends Reasons {
    static class Order {
        int state;
        String note;
        long price;
        final int kind;

        Order(int kind) {
            this.kind = kind;
        }
    }

    static int served, limit = 3;
    static final Order first = new Order(0);

    // a field of any object, by one method
    static void close(Order o, int n) {
        if (n % 2 == 0) {
            o.state = n;
            is("Missing$Order.state", "reached");
            is("Missing$Order.state --expect 4", n == 4 ? "reached" : "other_value");
        } else {
            no("Missing$Order.state", "n % 2 != 0", "n % 2 == 0");
            no("Missing$Order.state --expect 4", "n % 2 != 0", "n % 2 == 0");
        }
    }

    // nothing calls what writes it
    static void annotate(Order o) {
        o.note = "x";
    }

    // an exception comes before
    static void price(Order o, int n) {
        if (n > 6) is("Missing$Order.price", "exception");
        else is("Missing$Order.price", "reached");
        check(n);
        o.price = n;
    }

    // a static field, in a handler
    static void serve(int n) {
        try {
            check(n);
            is("Missing.served", "no_exception");
        } catch (IllegalArgumentException e) {
            served = n;
            is("Missing.served", "reached");
        }
    }

    // a local variable
    static int local(int n) {
        int result = 0;
        if (n > limit) {
            result = limit;
            is("Missing.local:result --expect 3", "reached");
        } else {
            no("Missing.local:result --expect 3", "n <= limit", "n > limit");
        }
        is("Missing.local:result --expect 3", "other_value");
        return result;
    }

    static void check(int n) {
        if (n > 6) {
            is("throw java.lang.IllegalArgumentException", "reached");
            throw new IllegalArgumentException("more than 6");
        }
        no("throw java.lang.IllegalArgumentException", "n <= 6", "n > 6");
    }

    static final class Full extends RuntimeException {
        Full(int n) {
            super("full at " + n);
        }
    }

    // made here, thrown there
    static Full full(int n) {
        if (n == 2) {
            is("throw Missing$Full", "reached");
            return new Full(n);
        }
        no("throw Missing$Full", "n != 2", "n == 2");
        return null;
    }

    static void fill(int n) {
        Full f = full(n);
        if (f != null) throw f;
    }

    // a loop whose head ends it, or a break
    static int rounds(int n) {
        int sum = 0, done = 0;
        for (int i = 0; i < n; i++) {
            sum += i; // @rounds
            done++;
            if (sum > 9) break;
        }
        if (done >= 4) is("Missing:@rounds --times 4", "reached");
        else if (done == 0) no("Missing:@rounds --times 4", "i >= n", "i < n");
        else if (sum > 9) stopped("Missing:@rounds --times 4", "sum > 9", "sum <= 9");
        else stopped("Missing:@rounds --times 4", "i >= n", "i < n");
        return sum;
    }

    // an exception ends it
    static int broken(int n) {
        int i = 0;
        if (n < 7) is("Missing:@broken --times 3", "reached");
        else is("Missing:@broken --times 3", "exception");
        while (i < 5) {
            i++; // @broken
            check(n - i + 1);
        }
        return i;
    }

    // no loop: once a call
    static int once(int n) {
        int result = n * 2; // @once
        is("Missing:@once --times 2", "ended");
        return result;
    }

    // which elements a round takes
    static int some(List<Integer> all) {
        int found = 0;
        for (int x : all) {
            if (x % 3 == 0) {
                found++; // @some
            }
        }
        if (found >= 2) is("Missing:@some --times 2", "reached");
        else if (all.isEmpty()) no("Missing:@some --times 2", "!iterator.hasNext()", "iterator.hasNext()");
        else if (found == 0) no("Missing:@some --times 2", "x % 3 != 0", "x % 3 == 0");
        else if (all.get(all.size() - 1) % 3 != 0) stopped("Missing:@some --times 2", "x % 3 != 0", "x % 3 == 0");
        else stopped("Missing:@some --times 2", "!...", "...");
        return found;
    }

    static void all(int i) {
        Order o = new Order(i);
        close(o, i);
        try {
            price(o, i);
        } catch (IllegalArgumentException e) {
            e.getMessage();
        }
        serve(i);
        local(i);
        try {
            fill(i % 4);
        } catch (Full e) {
            e.getMessage();
        }
        rounds(i);
        try {
            broken(i);
        } catch (IllegalArgumentException e) {
            e.getMessage();
        }
        once(i);
        List<Integer> some = new ArrayList<>();
        for (int k = 1; k < i; k++) some.add(k);
        if (some.size() > 0 && some.get(some.size() - 1) != 3) some(some);
    }

    public static void main(String[] args) throws Exception {
        Thread other = new Thread(() -> {
            for (int i = 5; i < 10; i++) all(i);
        });
        other.start();
        for (int i = 0; i < 5; i++) all(i);
        other.join();
        said.put("Missing$Order.note\tnot_called\t\t", 0);
        said.put("Missing$Order.note\tno_caller\t\t", 0);
        said.put("throw java.io.IOException\tno_writer\t\t", 0);
        said.put("Missing.first\treached\t\t", 1);
        said.put("Missing$Order.kind --expect 99\tother_value\t\t", 11);
        print();
    }
}
