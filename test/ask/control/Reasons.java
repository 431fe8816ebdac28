// What Absent and Missing count of themselves: why what was asked for did not come, and how often, as
// "question\tsituation\tcondition that held\tcondition that is needed\tcalls".
import java.util.Map;
import java.util.TreeMap;

class Reasons {
    static final Map<String, Integer> said = new TreeMap<>();
    static final Counter counter = new Counter();

    static final class Counter {
        synchronized void count(String row) {
            said.merge(row, 1, Integer::sum);
        }
    }

    static void no(String question, String held, String needed) {
        counter.count(question + "\tdecision\t" + held + "\t" + needed);
    }

    static void stopped(String question, String held, String needed) {
        counter.count(question + "\tstopped\t" + held + "\t" + needed);
    }

    static void is(String question, String situation) {
        counter.count(question + "\t" + situation + "\t\t");
    }

    static void print() {
        said.forEach((row, calls) -> System.out.println(row + "\t" + calls));
    }
}
