package archive;

/** Numbers as a symbol for their size, and bits behind it: 0, 1, 2-3, 4-7, ... with `fine` steps in each. */
final class Ranges {
    private final int fine;

    Ranges(int fineBits) {
        this.fine = fineBits;
    }

    int symbol(int number) {
        if (number < 1 << fine)
            return number;
        int bits = 31 - Integer.numberOfLeadingZeros(number);
        return (bits - fine + 1 << fine) + (number >>> bits - fine) - (1 << fine);
    }

    int extraBits(int symbol) {
        return symbol < 1 << fine ? 0 : (symbol >>> fine) - 1;
    }

    int base(int symbol) {
        if (symbol < 1 << fine)
            return symbol;
        return (1 << fine) + (symbol & (1 << fine) - 1) << (symbol >>> fine) - 1;
    }

    void writeExtra(BitWriter out, int number) {
        int symbol = symbol(number);
        out.write(number - base(symbol), extraBits(symbol));
    }

    int read(BitReader in, int symbol) {
        int bits = extraBits(symbol);
        return base(symbol) + (bits > 0 ? in.read(bits) : 0);
    }
}
