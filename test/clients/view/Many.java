/** More calls than the page lists one by one; some throw. */
public class Many {
    static int step(int i) {
        if (i % 13 == 0) throw new IllegalArgumentException("step " + i);
        return i;
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 700; i++)
            try {
                sum += step(i);
            } catch (IllegalArgumentException e) {
                sum++;
            }
        System.out.println(sum);
    }
}
