import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/** What the traces of hostile.c are made from: classes below those of the JDK, and a method with room for a loop. */
public class Hostile {
    static int spin(int x, int y) {
        int mixed = add(x ^ 1001 ^ 1002 ^ 1003 ^ 1004 ^ 1005 ^ 1006, y, x, y);
        return mixed;
    }

    static int add(int a, int b, int c, int d) {
        return a + b + c + d;
    }

    static int total;

    static void fill(int[] all) {
        for (int i = 0; i < all.length; i++)
            all[i] = i ^ 5;
        for (int i = 0; i < 100; i++)
            total += all[i];
    }

    /** With a number: an array of so many elements, of which the first are read at the end. */
    public static void main(String[] args) {
        if (args.length > 0) {
            fill(new int[Integer.parseInt(args[0])]);
            return;
        }
        List<Base> all = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            Derived d = new Derived(i);
            d.count += spin(i, 2 * i);
            d.next = i % 2 == 0 ? d : Base.other();
            total += d.count;
            all.add(d);
        }
        try {
            throw new Refused(all.get(7));
        } catch (Refused e) {
            total += e.of.count;
        }
        System.out.println(total != 0);
    }
}

class Base extends ArrayList<String> implements RandomAccess {
    int count;
    Base next;

    static Base other() {
        return new Derived(1);
    }
}

class Derived extends Base {
    final int own;

    Derived(int own) {
        this.own = own;
    }
}

class Refused extends RuntimeException {
    final Base of;

    Refused(Base of) {
        super("refused");
        this.of = of;
    }
}
