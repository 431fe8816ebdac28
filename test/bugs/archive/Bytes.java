package archive;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Numbers and texts as bytes: numbers in as many groups of 7 bits as they need. */
final class Bytes {
    /** Collects them. */
    static final class Writer {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Writer number(long value) {
            if (value < 0)
                throw new IllegalArgumentException("a negative number: " + value);
            long rest = value;
            while (rest > 0x7f) {
                out.write((int) (rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            out.write((int) rest);
            return this;
        }

        Writer fixed(int value) {
            for (int shift = 0; shift < 32; shift += 8)
                out.write(value >>> shift);
            return this;
        }

        Writer text(String text) {
            return block(text.getBytes(StandardCharsets.UTF_8));
        }

        Writer block(byte[] data) {
            number(data.length);
            out.write(data, 0, data.length);
            return this;
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }

    /** Takes them apart. */
    static final class Reader {
        private final byte[] data;
        private int at;

        Reader(byte[] data) {
            this.data = data;
        }

        private int next() {
            if (at == data.length)
                throw new ArchiveException("the data ends too early");
            return data[at++] & 0xff;
        }

        long number() {
            long value = 0;
            for (int shift = 0; shift < 63; shift += 7) {
                int b = next();
                value |= (long) (b & 0x7f) << shift;
                if (b < 0x80)
                    return value;
            }
            throw new ArchiveException("a number that is too long");
        }

        int fixed() {
            int value = 0;
            for (int shift = 0; shift < 32; shift += 8)
                value |= next() << shift;
            return value;
        }

        byte[] block() {
            long length = number();
            if (length > data.length - at)
                throw new ArchiveException("the data ends too early");
            byte[] block = new byte[(int) length];
            System.arraycopy(data, at, block, 0, block.length);
            at += block.length;
            return block;
        }

        String text() {
            return new String(block(), StandardCharsets.UTF_8);
        }

        boolean atEnd() {
            return at == data.length;
        }
    }

    private Bytes() {}
}
