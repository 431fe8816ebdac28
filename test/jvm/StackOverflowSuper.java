/**
 * A StackOverflowError that passes through super(...): exits that no handler sees are inferred, though the innermost
 * methods have none, and what the caller does behind it is its own.
 */
// agent: weave=ALL
// agent: weave=EXEC+LOCAL
// never: METHOD_EXCEPTIONAL_EXIT *.main(*
// expect: CATCH StackOverflowSuper.tries(*
// expect: METHOD_NORMAL_EXIT StackOverflowSuper.tries(*
// next: LOCAL_* StackOverflowSuper.main(*
public class StackOverflowSuper {
    static class Base {
        int made;
        Base(int p) { made = new Derived(p).value; }
    }

    static class Derived extends Base {
        int value;
        Derived(int p) {
            super(p + 1);
            value = p;
        }
    }

    static int tries(int b) {
        try {
            new Derived(1);
        } catch (StackOverflowError e) {
            b++;
        }
        return b;
    }

    public static void main(String[] args) {
        int b = tries(3);
        for (int i = 0; i < 1000; i++)
            b += i;
        System.out.println(b);
    }
}
