// Values of long expressions, whose operands `why` names.
public class Formula {
    static int of(int a, int b) {
        return a * a + b * b + a * b + b * 3 + (a - b) * (a + b) + ((a ^ b) + (a & b)) * ((a | b) - (a - b) * (a + a));
    }

    public static void main(String[] args) {
        for (int i = 0; i < 40; i++) System.out.print(of(i, 3) + " ");
        System.out.println();
    }
}
