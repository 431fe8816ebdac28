/** Every event type once: docs/events.md takes its examples from here. */
public class Events {
    static int count;
    int field;
    final int early;

    Events(int value) {
        early = value;
    }

    class Inner {
        int read() {
            return field;
        }
    }

    int add(int a) {
        field = a;
        return field + early;
    }

    static void fail() {
        throw new IllegalStateException("as asked");
    }

    static synchronized void locked(Object lock) {
        synchronized (lock) {
            count++;
        }
    }

    public static void main(String[] args) {
        Events events = new Events(3);
        int sum = events.add(4);
        new Events(1).new Inner().read();
        try {
            fail();
        } catch (IllegalStateException e) {
            sum += count;
        }
        locked(events);
        int[] numbers = new int[2];
        numbers[0] = sum;
        sum += numbers[0];
        int length = numbers.length;
        int[][] table = new int[2][3];
        Object any = events;
        if (any instanceof Events)
            sum++;
        String text = "sum " + sum;
        Class<?> type = Events.class;
        Runnable task = () -> count = 1;
        task.run();
        for (int i = 0; i < 2; i++)
            sum += i;
    }
}
