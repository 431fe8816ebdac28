package archive;

/** Data in blocks: stored as it is, or as codes of tokens. */
final class Compressor {
    private static final int BLOCK_TOKENS = 1 << 14;
    private static final int END = 256;
    private static final int FIRST_LENGTH = 257;
    private static final Ranges LENGTHS = new Ranges(2);
    private static final Ranges DISTANCES = new Ranges(1);
    private static final int SYMBOLS = FIRST_LENGTH + LENGTHS.symbol(Matches.MOST - Matches.LEAST) + 1;
    private static final int DISTANCE_SYMBOLS = DISTANCES.symbol(Matches.WINDOW) + 1;

    private Compressor() {}

    private static int lengthSymbol(int length) {
        return FIRST_LENGTH + LENGTHS.symbol(length - Matches.LEAST);
    }

    static byte[] compress(byte[] data) {
        Tokens tokens = Tokens.of(data);
        BitWriter out = new BitWriter();
        int count = tokens.all().size();
        for (int from = 0; from < count || from == 0; from += BLOCK_TOKENS) {
            int to = Math.min(count, from + BLOCK_TOKENS);
            out.write(to == count ? 1 : 0, 1);
            writeBlock(out, tokens, from, to);
        }
        return out.bytes();
    }

    private static void writeBlock(BitWriter out, Tokens tokens, int from, int to) {
        long[] symbols = new long[SYMBOLS];
        long[] distances = new long[DISTANCE_SYMBOLS];
        symbols[END] = 1;
        for (Tokens.Token t : tokens.all().subList(from, to)) {
            symbols[t.isByte() ? t.length() : lengthSymbol(t.length())]++;
            if (!t.isByte())
                distances[DISTANCES.symbol(t.distance())]++;
        }
        Huffman of = Huffman.ofCounts(symbols);
        Huffman back = Huffman.ofCounts(distances);
        of.writeLengths(out);
        back.writeLengths(out);
        for (Tokens.Token t : tokens.all().subList(from, to)) {
            if (t.isByte()) {
                of.write(out, t.length());
                continue;
            }
            of.write(out, lengthSymbol(t.length()));
            LENGTHS.writeExtra(out, t.length() - Matches.LEAST);
            back.write(out, DISTANCES.symbol(t.distance()));
            DISTANCES.writeExtra(out, t.distance());
        }
        of.write(out, END);
    }

    static byte[] expand(byte[] packed, int size) {
        BitReader in = new BitReader(packed);
        Tokens tokens = new Tokens();
        for (boolean last = false; !last;) {
            last = in.readBit() == 1;
            readBlock(in, tokens);
        }
        return tokens.expand(size);
    }

    private static void readBlock(BitReader in, Tokens tokens) {
        Huffman of = Huffman.readLengths(in, SYMBOLS);
        Huffman back = Huffman.readLengths(in, DISTANCE_SYMBOLS);
        for (int symbol; (symbol = of.read(in)) != END;) {
            if (symbol < END) {
                tokens.add((byte) symbol);
                continue;
            }
            int length = LENGTHS.read(in, symbol - FIRST_LENGTH) + Matches.LEAST;
            tokens.add(length, DISTANCES.read(in, back.read(in)));
        }
    }
}
