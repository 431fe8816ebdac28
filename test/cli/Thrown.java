/** SHORT LONG: exceptions of two types with a thousand messages: close together (SHORT times), far apart (40),
    close together again (LONG times). */
public class Thrown {
    static class Rare extends RuntimeException {
        Rare(String why) { super(why); }
    }

    static long sum;

    static void take(int i) {
        if (i % 500 == 499)
            throw new Rare("rare " + i % 1000);
        throw new IllegalStateException("round " + i % 1000);
    }

    static void many(int from, int count) {
        for (int i = from; i < from + count; i++)
            try {
                take(i);
            } catch (RuntimeException e) {
                sum += e.getMessage().length();
            }
    }

    public static void main(String[] args) {
        int shorter = Integer.parseInt(args[0]), longer = Integer.parseInt(args[1]);
        many(0, shorter);
        for (int i = 0; i < 40; i++) {
            for (int k = 0; k < 9000; k++)
                sum += k;
            many(shorter + i, 1);
        }
        many(shorter + 40, longer);
        System.out.println(sum);
    }
}
