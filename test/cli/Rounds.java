/** Calls a method as often as the argument says: a trace that takes long to read. */
public class Rounds {
    static int sum;

    static void round(int i) {
        sum += i;
    }

    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) round(i);
        System.out.println(sum);
    }
}
