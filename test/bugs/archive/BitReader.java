package archive;

/** Bits out of bytes. */
final class BitReader {
    private final byte[] data;
    private final int end;
    private int at;
    private long bits;
    private int count;

    BitReader(byte[] data) {
        this(data, 0, data.length);
    }

    BitReader(byte[] data, int from, int length) {
        this.data = data;
        this.at = from;
        this.end = from + length;
    }

    int read(int width) {
        while (count < width) {
            if (at == end)
                throw new ArchiveException("the data ends too early");
            bits |= (long) (data[at++] & 0xff) << count;
            count += 8;
        }
        int value = (int) (bits & ((1L << width) - 1));
        bits >>>= width;
        count -= width;
        return value;
    }

    int readBit() {
        return read(1);
    }

    boolean atEnd() {
        return at == end && bits == 0;
    }
}
