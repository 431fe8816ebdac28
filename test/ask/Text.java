// A string built in a loop, through a parameter, a return value and a conditional expression.
public class Text {
    static String join(String left, String right) { return left + right; }

    static String build(int n) {
        String text = "";
        for (int i = 0; i < n; i++) {
            String digit = i % 2 == 0 ? "even" : "odd";
            text = join(text, digit);
        }
        return text;
    }

    public static void main(String[] args) {
        String all = build(3);
        System.out.println(all); // evenoddeven
    }
}
