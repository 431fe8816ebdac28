import java.util.*;

// What a debugger calls where the program stands, in a JVM and in a recording (asked.py).
public class Asked {
    interface Shape {
        int area();
        default String size() { return area() > 10 ? "big" : "small"; }
        static int twice(int n) { return 2 * n; }
    }
    static class Box implements Shape {
        final int side;
        Box next;
        Box(int side) { this.side = side; }
        public int area() { return side * side; }
        Box grown(int by) { return new Box(side + by); }
        long sum(int a, long b) { return a + b + side; }
        int[] sides() { return new int[] {side, 2 * side}; }
        boolean same(Box other) { return this == other; }
        @Override
        public String toString() { return "box of " + side; }
    }
    static class Cube extends Box {
        Cube(int side) { super(side); }
        @Override
        public int area() { return 6 * super.area(); }
        private String told() { return "cube " + this.area(); }
        String tell(Object about) { return told() + " and " + about; }
    }
    static class Empty extends RuntimeException {
        final int code;
        Empty(int code) {
            super("code " + code);
            this.code = code;
        }
    }

    static int calls;
    static int count() { return ++calls; }
    static int fails(int n) {
        if (n > 2)
            throw new Empty(n);
        return fails(n + 1);
    }
    static int divides(int n) { return 10 / n; }
    static int endless(int n) {
        while (n >= 0)
            n ^= 1;
        return n;
    }
    static char letter(byte b, short s, char c) { return (char) (c + b - s); }
    static double half(float f) { return f / 2; }
    static Object nothing() { return null; }

    public static void main(String[] args) {
        Cube cube = new Cube(2);
        Box box = new Box(3);
        box.next = cube;
        List<String> names = new ArrayList<>(List.of("tea", "cup"));
        Map<String, Integer> stock = new LinkedHashMap<>();
        stock.put("tea", 5);
        String text = "Hello";
        calls = 7;
        int all = box.area() + cube.area() + calls; // stop
        System.out.println(all + text + names + stock + box.next + cube.side);
    }
}
