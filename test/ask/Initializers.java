// record: weave=EXEC+CALL+PARAM+FIELD
/** Each class prints the line of the caller whose instruction initializes it, as the JVM says. */
class Initializers {
    static int caller(int depth) {
        return new Throwable().getStackTrace()[depth].getLineNumber();
    }

    static class Read {
        static int x = show("Read");
    }

    static class Made {
        static int y = show("Made");
    }

    static class Written {
        static Object o = show("Written");
    }

    static class Base {
        static int z = show("Base");
    }

    static class Derived extends Base {
        static int called() {
            return 1;
        }
    }

    static int show(String name) {
        System.out.println(name + " " + caller(3));
        return 3;
    }

    public static void main(String[] args) {
        int n = caller(1);
        int k = n + 1
            + Read.x;
        Object made =
            new Made();
        k += 2;
        Written.o = made;
        System.out.println(k
            + Derived.called());
    }
}
