/** A slow method: which one takes the time? */
public class Slow {
    static String join(int parts) {
        String text = "";
        for (int i = 0; i < parts; i++)
            text += part(i);
        return text;
    }

    static String part(int i) {
        return Integer.toString(i % 10);
    }

    static int sum(int numbers) {
        int sum = 0;
        for (int i = 0; i < numbers; i++)
            sum += i;
        return sum;
    }

    public static void main(String[] args) {
        System.out.println(sum(1000) + " " + join(20000).length());
    }
}
