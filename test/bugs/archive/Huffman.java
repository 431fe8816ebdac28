package archive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Codes of symbols, short ones for frequent symbols. Lengths alone tell the codes: they are canonical. */
final class Huffman {
    static final int LONGEST = 15;
    private final int[] lengths;
    private final int[] codes;
    private final int[] counts = new int[LONGEST + 1];
    private final int[] symbols;

    private Huffman(int[] lengths) {
        this.lengths = lengths;
        this.codes = new int[lengths.length];
        for (int length : lengths)
            if (length > 0)
                counts[length]++;
        int[] next = new int[LONGEST + 2];
        int[] first = new int[LONGEST + 2];
        int code = 0;
        for (int length = 1; length <= LONGEST; length++) {
            code = code + (length > 1 ? counts[length - 1] : 0) << 1;
            next[length] = code;
            first[length + 1] = first[length] + counts[length];
        }
        symbols = new int[first[LONGEST + 1]];
        for (int symbol = 0; symbol < lengths.length; symbol++) {
            int length = lengths[symbol];
            if (length == 0)
                continue;
            codes[symbol] = next[length]++;
            symbols[first[length]++] = symbol;
        }
    }

    static Huffman ofLengths(int[] lengths) {
        long used = 0;
        for (int length : lengths) {
            if (length < 0 || length > LONGEST)
                throw new ArchiveException("a code of " + length + " bits");
            if (length > 0)
                used += 1L << LONGEST - length;
        }
        if (used > 1L << LONGEST)
            throw new ArchiveException("too many codes");
        return new Huffman(lengths.clone());
    }

    private record Node(long weight, int symbol, Node left, Node right, int order) {}

    static Huffman ofCounts(long[] counts) {
        int[] lengths = new int[counts.length];
        long[] weights = counts.clone();
        while (!measure(weights, lengths))
            for (int i = 0; i < weights.length; i++)
                weights[i] = (weights[i] + 1) / 2; // flatter, so that no code is too long
        return new Huffman(lengths);
    }

    /** False: a code is too long. */
    private static boolean measure(long[] weights, int[] lengths) {
        Arrays.fill(lengths, 0);
        PriorityQueue<Node> open =
                new PriorityQueue<>(Comparator.comparingLong(Node::weight).thenComparingInt(Node::order));
        int order = 0;
        for (int symbol = 0; symbol < weights.length; symbol++)
            if (weights[symbol] > 0)
                open.add(new Node(weights[symbol], symbol, null, null, order++));
        if (open.size() == 1) {
            lengths[open.poll().symbol] = 1;
            return true;
        }
        while (open.size() > 1) {
            Node a = open.poll();
            Node b = open.poll();
            open.add(new Node(a.weight + b.weight, -1, a, b, order++));
        }
        return open.isEmpty() || assign(open.poll(), 0, lengths);
    }

    private static boolean assign(Node node, int depth, int[] lengths) {
        if (depth > LONGEST)
            return false;
        if (node.symbol >= 0) {
            lengths[node.symbol] = depth;
            return true;
        }
        return assign(node.left, depth + 1, lengths) && assign(node.right, depth + 1, lengths);
    }

    int[] lengths() {
        return lengths;
    }

    void write(BitWriter out, int symbol) {
        if (lengths[symbol] == 0)
            throw new IllegalArgumentException("symbol " + symbol + " has no code");
        out.writeCode(codes[symbol], lengths[symbol]);
    }

    int read(BitReader in) {
        int code = 0;
        int first = 0;
        int index = 0;
        for (int length = 1; length <= LONGEST; length++) {
            code |= in.readBit();
            int count = counts[length];
            if (code - first < count)
                return symbols[index + code - first];
            index += count;
            first = first + count << 1;
            code <<= 1;
        }
        throw new ArchiveException("a code that is none");
    }

    long cost(long[] of) {
        long bits = 0;
        for (int symbol = 0; symbol < of.length; symbol++)
            bits += of[symbol] * lengths[symbol];
        return bits;
    }

    /** Lengths in runs: how often, and which. */
    void writeLengths(BitWriter out) {
        List<int[]> runs = new ArrayList<>();
        for (int length : lengths) {
            int[] last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
            if (last != null && last[0] == length && last[1] < 64)
                last[1]++;
            else
                runs.add(new int[] {length, 1});
        }
        for (int[] run : runs) {
            out.write(run[0], 4);
            out.write(run[1] - 1, 6);
        }
    }

    static Huffman readLengths(BitReader in, int count) {
        int[] lengths = new int[count];
        for (int i = 0; i < count;) {
            int length = in.read(4);
            int times = in.read(6) + 1;
            if (i + times > count)
                throw new ArchiveException("too many lengths");
            Arrays.fill(lengths, i, i + times, length);
            i += times;
        }
        return ofLengths(lengths);
    }
}
