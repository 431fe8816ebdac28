/**
 * For hprof.sh: a small heap with fields of each type, inherited and hidden ones, arrays, strings, references in a
 * circle, stores that throw. show() prints it; HeapReader.java prints the same from a dump of that moment.
 */
public class Heap {
    static class Base {
        int number;
        long wide = Long.MIN_VALUE;
        Object hidden = "of Base";
    }

    static class Item extends Base {
        String name;
        Item next;
        double[] prices = { 0.1, -0.0, Double.NaN, Double.NEGATIVE_INFINITY };
        Object[] things = new Object[3];
        int[][] grid = new int[2][3];
        byte[] bytes = { -128, 127 };
        char unit = '\uffff';
        boolean flag = true;
        int spare; // nothing reads or writes it
        byte small = -128;
        short half = -32768;
        float ratio = -0.0f;
        Object hidden;

        Item(String name, int number) {
            this.name = name;
            this.number = number;
            for (int[] row : grid) row[0] = 3;
        }

        class Inner {
            int[] mine = { number };
        }
    }

    static Item first;
    static long count = 1L << 53 | 1;
    static boolean ready;

    static String text(String s) {
        if (s == null) return "null";
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) b.append((int) c).append(' ');
        return b.toString();
    }

    static void show(String when) {
        System.out.println(when + " " + count + " " + ready);
        Item i = first;
        for (int n = 0; i != null && n < 4; n++, i = i.next) {
            System.out.println(i.number + " " + i.wide + " " + text((String) ((Base) i).hidden) + "/" + text(i.name));
            System.out.println((int) i.unit + " " + i.flag + " " + i.small + " " + i.half + " " + i.ratio);
            for (double d : i.prices) System.out.println(d);
            for (byte b : i.bytes) System.out.println(b);
            for (int[] row : i.grid) for (int cell : row) System.out.println(cell);
            for (Object o : i.things) System.out.println(o == null ? "null" : o.getClass().getName());
            Item.Inner inner = (Item.Inner) i.hidden;
            System.out.println("spare 0");
            System.out.println(inner == null ? "null" : "inner " + inner.mine[0]);
        }
    }

    static void fail(Runnable r) {
        try {
            r.run();
        } catch (RuntimeException e) {
            ready = true;
        }
    }

    public static void main(String[] a) {
        first = new Item("one", 7);
        first.next = new Item("zw\u00f6lf \ud800 \u4e2d", -1);
        first.next.next = first;
        first.grid[1][2] = 5;
        first.things[0] = first;
        first.things[1] = "text";
        first.hidden = first.new Inner();
        show("before");
        Object[] strings = new String[2];
        first.things[2] = strings;
        fail(() -> strings[0] = Integer.valueOf(1));
        fail(() -> first.prices[4] = 1);
        fail(() -> ((Item) null).next = first);
        first.prices[0] = 2.5;
        first.things[0] = null;
        first.next.name = null;
        first.next.number++;
        first.bytes = new byte[1];
        first.next.next = null;
        count = -1;
        show("after");
    }
}
