/**
 * One thread that takes two locks in two orders, counts in one method, and may hold a lock while recording is stopped:
 * each line of standard input names a method by its first letter.
 */
public class Stopped {
    static final Object A = new Object(), B = new Object();
    static int n;

    static void step() { n++; }

    static void first() {
        synchronized (A) {
            synchronized (B) {
                step();
            }
        }
    }

    static void second() {
        synchronized (B) {
            synchronized (A) {
                step();
            }
        }
    }

    static void many() {
        for (int i = 0; i < 30000; i++)
            step();
    }

    /** Holds a lock until the next line. */
    static void hold() throws java.io.IOException {
        synchronized (A) {
            step();
            System.out.println("done");
            while (System.in.read() != '\n')
                ;
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("ready " + ProcessHandle.current().pid());
        for (int c, word = 0; (c = System.in.read()) >= 0;) {
            if (c != '\n') {
                word = word == 0 ? c : word;
                continue;
            }
            switch (word) {
                case 'f': first(); break;
                case 's': second(); break;
                case 'm': many(); break;
                case 'h': hold(); break;
                default: return;
            }
            word = 0;
            System.out.println("done");
        }
    }
}
