/** Many objects with fields of one name: of two classes that have nothing to do with each other, inherited, hidden. */
// record: weave=FIELD+ARRAY
import java.util.Random;

public class Herd {
    static class Animal {
        int n;
        Animal(int n) { if (n >= 0) this.n = n; }
    }
    static class Cow extends Animal {
        Cow(int n) { super(n); }
    }
    static class Calf extends Cow {
        long n; // hides that of Animal
        Calf(int n) { super(n + 1000); this.n = n >= 0 ? n : 1; }
    }
    static class Tree { int n; }
    static long seen;

    static void change(Animal[] all, Tree[] trees, int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            Animal a = all[random.nextInt(all.length)];
            int value = 1 + random.nextInt(2000);
            if (i % 3 == 0 && a instanceof Calf) ((Calf) a).n = value;
            else if (i % 3 == 1) a.n = value;
            else seen += a.n;
            trees[random.nextInt(trees.length)].n = value;
        }
    }
    public static void main(String[] args) throws Exception {
        Animal[] all = new Animal[150];
        Tree[] trees = new Tree[60];
        for (int i = 0; i < all.length; i++) { // -1: nothing is written
            int n = i % 7 == 0 ? -1 : i + 1;
            all[i] = i % 3 == 0 ? new Animal(n) : i % 3 == 1 ? new Cow(n) : new Calf(n);
        }
        for (int i = 0; i < trees.length; i++) trees[i] = new Tree();
        for (int round = 0; round < 4; round++) {
            Thread[] threads = new Thread[3];
            for (int t = 0; t < threads.length; t++) {
                int seed = 10 * round + t;
                threads[t] = new Thread(() -> change(all, trees, seed));
                threads[t].start();
            }
            for (Thread t : threads) t.join();
        }
        System.out.println(seen);
    }
}
