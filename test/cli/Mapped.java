// Lines with "// FILE:LINE" stand for code of that file, as a compiler that inlines, or one of templates, has it: the
// test gives the class a SourceDebugExtension that says so.
package mapped;

public class Mapped {
    static int shared;

    static int count(String text) { // Main.kt:3
        int n = text.length(); // Main.kt:4
        int first = n * 2; // util/Util.kt:4
        first = first + 1; // util/Util.kt:5
        int second = first * 2; // util/Util.kt:4
        second = second + 1; // util/Util.kt:5
        shared = second; // Main.kt:5
        return second; // Main.kt:6
    }

    static int made(int n) {
        int a = n + 1; // page.jsp:2
        int b = a + 1; // page.jsp:2
        return a + b;
    }

    static void check(Object o) { // util/Util.kt:9
        if (o == null) // util/Util.kt:10
            throw new IllegalStateException("none"); // util/Util.kt:11
    }

    static synchronized void held() {
        System.out.println(shared); // Main.kt:8
    }

    public static void main(String[] args) { // Main.kt:10
        System.out.println(count("abc") + made(1)); // Main.kt:11
        held(); // Main.kt:12
        check(null); // Main.kt:13
    }
}
