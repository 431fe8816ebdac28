import java.util.*;

// Collections of the JDK, which is not recorded: what they hold is known from the calls on them alone.
public class Held {
    public static void main(String[] args) {
        boolean[] kept = new boolean[3];
        kept[1] = true;
        kept[2] = false;
        List<String> names = new ArrayList<>();
        Map<String, Integer> stock = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder("ab");
        names.add("tea");
        names.add("cup");
        stock.put("tea", 500);
        stock.put("cup", 7);
        text.append(true);
        Optional<String> first = Optional.of(names.get(0));
        int tea = stock.get("tea");
        names.remove("tea");
        stock.put("tea", tea - 1);
        List<String> shuffled = new ArrayList<>(names);
        Collections.shuffle(shuffled);
        System.out.println(names + " " + stock + " " + text + first + tea + shuffled);
        Cup cup = new Cup();
        int level = cup.fill() + cup.self().fill();
        System.out.println(cup + " " + level);
        Mug mug = new Mug();
        mug.fill();
        System.out.println(mug.look());
    }

    static class Mug extends Cup {
        int content = 40;
        int look() {
            int own = content;
            return own + super.look();
        }
    }

    static class Cup {
        int content;
        Cup self() { return this; }
        int fill() { return content += 2; }
        int look() {
            return content + 1;
        }
        public String toString() { return "cup with " + content; }
    }
}
