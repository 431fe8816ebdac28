import java.util.ArrayList;
import java.util.List;

/** Writes fields, elements and a list while recording is stopped; each line of standard input names a method. */
public class Gap {
    static int mode, other, untouched;
    int level, made;
    final int size;
    final int[] elements = new int[4];
    final List<String> list = new ArrayList<>();

    Gap() { size = 7; }

    void early() {
        mode = 1;
        other = 2;
        level = 5;
        elements[1] = 11;
        elements[2] = 12;
        list.add("early");
    }

    void between() {
        mode = 9;
        mode = 1;
        other = 3;
        level = 5;
        made = 8;
        elements[1] = 11;
        elements[2] = 13;
        elements[3] = 14;
        list.add("between");
    }

    int read() {
        int sum = mode + other + untouched + level + made + size + elements[1] + elements[2] + elements[3];
        int[] copy = elements.clone();
        return sum + copy[1] + copy[2] + list.get(0).length();
    }

    int again() {
        other = 4;
        return other;
    }

    public static void main(String[] args) throws Exception {
        Gap gap = new Gap();
        System.out.println("ready " + ProcessHandle.current().pid());
        for (int c, word = 0; (c = System.in.read()) >= 0;) {
            if (c != '\n') {
                word = word == 0 ? c : word;
                continue;
            }
            switch (word) {
                case 'e': gap.early(); break;
                case 'b': gap.between(); break;
                case 'r': gap.read(); break;
                case 'a': gap.again(); break;
                default: return;
            }
            word = 0;
            System.out.println("done");
        }
    }
}
