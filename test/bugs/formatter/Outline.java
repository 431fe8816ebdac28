package formatter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The headings of a document, with numbers and names for links. */
final class Outline {
    record Entry(String number, String title, String anchor, int level) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Integer> anchors = new HashMap<>();
    private final int[] counters = new int[7];

    Outline(List<Block> blocks) {
        for (Block block : blocks)
            if (block instanceof Block.Heading)
                add((Block.Heading) block);
    }

    List<Entry> entries() {
        return entries;
    }

    private void add(Block.Heading heading) {
        int level = heading.level();
        counters[level]++;
        for (int deeper = level + 1; deeper < counters.length; deeper++)
            counters[deeper] = 0;
        StringBuilder number = new StringBuilder();
        for (int i = 1; i <= level; i++)
            if (counters[i] > 0)
                number.append(number.length() > 0 ? "." : "").append(counters[i]);
        String title = Inline.allPlain(heading.text());
        entries.add(new Entry(number.toString(), title, anchor(title), level));
    }

    private String anchor(String title) {
        StringBuilder name = new StringBuilder();
        for (char c : title.toLowerCase(Locale.ROOT).toCharArray()) {
            if (Character.isLetterOrDigit(c))
                name.append(c);
            else if ((c == ' ' || c == '-') && name.length() > 0)
                name.append('-');
        }
        int times = anchors.merge(name.toString(), 1, Integer::sum);
        return times == 1 ? name.toString() : name + "-" + (times - 1);
    }

    String text() {
        StringBuilder out = new StringBuilder();
        for (Entry entry : entries)
            out.append("  ".repeat(entry.level() - 1)).append(entry.number()).append(' ').append(entry.title())
                    .append('\n');
        return out.toString();
    }
}
