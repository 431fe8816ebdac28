package archive;

import java.io.ByteArrayOutputStream;

/** Bits into bytes, the lowest one first. */
final class BitWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private long bits;
    private int count;

    void write(int value, int width) {
        if (width < 0 || width > 32 || (width < 32 && value >>> width != 0))
            throw new IllegalArgumentException(value + " does not fit into " + width + " bits");
        bits |= (value & 0xffffffffL) << count;
        count += width;
        while (count >= 8) {
            out.write((int) bits);
            bits >>>= 8;
            count -= 8;
        }
    }

    /** A code of Huffman, whose first bit is the highest. */
    void writeCode(int code, int length) {
        for (int i = length - 1; i >= 0; i--)
            write(code >>> i & 1, 1);
    }

    int size() {
        return out.size() * 8 + count;
    }

    byte[] bytes() {
        if (count > 0) {
            out.write((int) bits);
            bits = 0;
            count = 0;
        }
        return out.toByteArray();
    }
}
