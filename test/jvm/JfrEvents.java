import jdk.jfr.Event;
import jdk.jfr.Recording;

/** JFR adds code to an event class that is woven: it keeps its hooks, and is not called a class without. */
public class JfrEvents {
    static class Sold extends Event {
        int count;
        int twice() { return 2 * count; }
    }

    static int sell(int n) {
        Sold e = new Sold();
        e.begin();
        e.count = n;
        e.commit();
        return e.twice();
    }

    public static void main(String[] args) {
        int sum = sell(1);
        try (Recording r = new Recording()) {
            r.enable(Sold.class);
            r.start();
            sum += sell(2);
            r.stop();
        }
        System.out.println(sum);
    }
}
// info: "given_up":0
// count: 2 METHOD_ENTRY JfrEvents$Sold.twice()I *
// count: 1 METHOD_NORMAL_EXIT JfrEvents$Sold.twice()I * value 4
