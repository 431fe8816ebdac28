// record: weave=ALL,order=total,e=Marks
/**
 * A tiny editor whose parts are marked: the marks nest (save in edit) and come back (load). Marks itself is not woven.
 */
public class Features {
    static int notes;

    static void note() { notes++; }

    static int parse(int x) { return x + 1; }

    static Item load() {
        note();
        Item first = new Item(parse(1));
        first.next = new Item(parse(2));
        return first;
    }

    static void edit(Item list) {
        note();
        list.v = list.value() + 1;
        list.next = new Item(list.value());
    }

    static int save(Item list) {
        note();
        return list.value() + list.next.value();
    }

    static int undo(Item list) {
        note();
        return list.next.value();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread other = new Thread(() -> { }); // from the second thread on every event has a stamp of its own
        other.start();
        other.join();
        Marks.begin(1);
        Item list = load();
        Marks.end(1);
        Marks.begin(2);
        edit(list);
        Marks.begin(3);
        save(list);
        Marks.end(3);
        Marks.end(2);
        Marks.begin(4);
        undo(list);
        Marks.end(4);
        note();
        Marks.begin(1);
        load();
        Marks.end(1);
        Marks.begin(5);
        note();
    }
}

class Item {
    int v;
    Item next;

    Item(int v) { this.v = v; }

    int value() { return v; }
}

class Marks {
    static void begin(int feature) { }

    static void end(int feature) { }
}
