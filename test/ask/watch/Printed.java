import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program that, with an argument, prints what the watches in its comments print of a run without one: the lines of a
 * watch `//@ NUMBER entry|exit|write PLACE TEXT`, or `//@ NUMBER here TEXT` for the line that follows. All texts begin
 * with the number of a worker, whose lines are in the order of its thread.
 */
public class Printed {
    static boolean prints;
    static int made;
    static final int LIMIT = 7;

    static void log(int watch, String text) {
        if (prints)
            synchronized (Printed.class) {
                System.out.println(watch + "\t" + text);
            }
    }

    static class Shape {
        int size;
        private int hidden = 3;
        protected String name;

        Shape(String name, int size) {
            this.name = name;
            this.size = size;
            synchronized (Printed.class) {
                made++;
            }
        }

        int area() {
            return size * hidden;
        }

        int grow(int by) {
            size += by;
            return size;
        }
    }

    static class Square extends Shape {
        private int hidden = 5;
        long twice;

        Square(String name, int size) {
            super(name, size);
            twice = 2L * size;
        }

        @Override
        int area() {
            return hidden * size + super.area();
        }

        @Override
        public String toString() {
            return "Square " + name + " of " + size;
        }
    }

    enum Phase { OPEN, CLOSED }

    record Pair(int left, String right) {}

    record Leg(Pair from, Pair to) {}

    record Trip(int id, Leg out, Leg back, Object what) {}

    static class Cell {
        int value;
        Cell next;

        Cell(int value, Cell next) {
            this.value = value;
            this.next = next;
        }

        int sum() {
            return value + (next == null ? 0 : next.sum());
        }
    }

    static class Worker extends Thread {
        final int id;
        final List<String> list = new ArrayList<>();
        final Map<String, Integer> map = new HashMap<>();
        final Deque<Integer> queue = new ArrayDeque<>();
        final List<Cell> cells = new ArrayList<>();
        Phase state = Phase.OPEN;
        double ratio;
        int total;

        Worker(int id) {
            this.id = id;
        }

        int fib(int n, String path) {
            //@ 1 entry Worker.fib {id} fib {n} {path} {n * 31 + path.length()}
            if (prints) log(1, id + " fib " + n + " " + path + " " + (n * 31 + path.length()));
            if (n < 2) {
                //@ 2 exit Worker.fib {id} {args[0]} {result}
                if (prints) log(2, id + " " + n + " " + n);
                return n;
            }
            int left = fib(n - 1, path + "l");
            int right = fib(n - 2, path + "r");
            if (prints) log(3, id + " " + left + " " + (path + "/" + left) + " " + (left > 2 ? "big" : "small"));
            //@ 3 here {id} {left} {path + "/" + left} {left > 2 ? "big" : "small"}
            int sum = left + right;
            if (prints) log(2, id + " " + n + " " + sum);
            return sum;
        }

        int risky(int n) {
            //@ 4 entry Worker.risky(int) {this.id} {args[0]} {list.size()} {list.isEmpty()}
            if (prints) log(4, id + " " + n + " " + list.size() + " " + list.isEmpty());
            if (n % 3 == 0) {
                IllegalStateException e = new IllegalStateException("no " + n);
                //@ 5 exit Printed.Worker.risky {id} {n} {exception}
                if (prints) log(5, id + " " + n + " " + e);
                throw e;
            }
            if (prints) log(5, id + " " + n + " null");
            return n;
        }

        void fill(int n) {
            for (int i = 0; i < n; i++) {
                list.add("item" + i);
                map.put("k" + i % 3, i);
                queue.addLast(i);
                if (prints)
                    log(6, id + " " + i + " " + list.size() + " " + map.size() + " " + list.get(i) + " "
                            + queue.size());
                //@ 6 here {id} {i} {list.size()} {map.size()} {list.get(i)} {queue.size()}
                total += i;
                //@ 7 write Worker.total {object.id} {value}
                if (prints) log(7, id + " " + total);
                ratio = total / 4.0;
                if (prints) log(8, id + " " + ratio + " " + (ratio > 2) + " " + (int) ratio);
                //@ 8 here {id} {ratio} {ratio > 2} {(int) ratio}
                state = i % 2 == 0 ? Phase.CLOSED : Phase.OPEN;
                if (prints) log(9, id + " " + state + " " + (state == Phase.OPEN) + " " + (char) ('a' + i));
                //@ 9 here {id} {state} {state == Phase.OPEN} {(char) ('a' + i)}
                work(i);
            }
        }

        void work(int i) {
            Square square = new Square("s" + i, i + 1);
            Shape shape = square;
            if (prints)
                log(10, id + " " + shape.name + " " + shape.size + " " + square.hidden + " " + ((Shape) square).hidden
                        + " " + square.twice);
            //@ 10 here {id} {shape.name} {shape.size} {square.hidden} {((Shape) square).hidden} {square.twice}
            int area = shape.area();
            if (prints) log(11, id + " " + area + " " + square + " " + LIMIT + " " + (shape instanceof Square));
            //@ 11 here {id} {area} {square} {LIMIT} {shape instanceof Square}
            int grown = shape.grow(area & 3);
            if (prints) log(12, id + " " + grown + " " + shape.size + " " + square.area());
            //@ 12 here {id} {grown} {shape.size} {square.area()}
            Pair pair = new Pair(i, "p" + i);
            if (prints) log(13, id + " " + pair + " " + pair.left() + " " + pair.right().length());
            //@ 13 here {id} {pair} {pair.left()} {pair.right().length()}
            int[] numbers = { i, i * i, -i };
            numbers[1] += 1;
            if (prints)
                log(14, id + " " + numbers.length + " " + numbers[1] + " " + (numbers[2] >>> 28) + " " + (i % LIMIT));
            //@ 14 here {id} {numbers.length} {numbers[1]} {numbers[2] >>> 28} {i % LIMIT}
            byte small = (byte) (i * 100);
            if (prints)
                log(15, id + " " + small + " " + (small & 0xff) + " " + (float) i / 3 + " "
                        + (long) i * Integer.MAX_VALUE);
            //@ 15 here {id} {small} {small & 0xff} {(float) i / 3} {(long) i * Integer.MAX_VALUE}
            String text = i % 4 == 0 ? null : "t\u00e4xt " + i;
            if (prints) log(16, id + " " + text + " " + (text == null ? -1 : text.length()));
            //@ 16 here {id} {text} {text == null ? -1 : text.length()}
            Object nothing = text;
            Leg leg = new Leg(pair, new Pair(-i, "q"));
            Trip trip = new Trip(i, leg, new Leg(pair, pair), i % 2 == 0 ? leg : null);
            if (prints) log(17, id + " " + trip + " " + trip.back().to().right() + " " + trip.equals(trip));
            //@ 17 here {id} {trip.toString()} {trip.back().to().right()} {trip.equals(trip)}
            Cell cell = new Cell(i, new Cell(trip.id(), new Cell(1, null)));
            for (int k = 0; k < 6; k++) {
                cell.next.value += k;
                if (k == 2)
                    cells.add(cell);
                if (k == 4)
                    cell.next = cell.next.next;
                if (prints) log(18, id + " " + k + " " + cell.sum() + " " + cell.next.value);
                //@ 18 here {id} {k} {cell.sum()} {cell.next.value}
                cell.value++;
            }
        }

        @Override
        public void run() {
            fib(5, "");
            for (int i = 1; i < 8; i++)
                try {
                    total += risky(i);
                    if (prints) log(7, id + " " + total);
                } catch (IllegalStateException e) {
                    list.add(e.getMessage());
                }
            fill(6);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        prints = args.length > 0;
        Worker[] workers = new Worker[3];
        for (int i = 0; i < workers.length; i++)
            workers[i] = new Worker(i);
        for (Worker w : workers)
            w.start();
        for (Worker w : workers)
            w.join();
    }
}
