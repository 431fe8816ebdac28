package archive;

/** CRC-32, which tells that data has changed. */
final class Checksum {
    private static final int POLYNOMIAL = 0xedb88320;
    private static final int[] TABLE = new int[256];

    static {
        for (int n = 0; n < 256; n++) {
            int c = n;
            for (int k = 0; k < 8; k++)
                c = (c & 1) != 0 ? c >>> 1 ^ POLYNOMIAL : c >>> 1;
            TABLE[n] = c;
        }
    }

    private Checksum() {}

    static int of(byte[] data) {
        int c = -1;
        for (byte b : data)
            c = TABLE[(c ^ b) & 0xff] ^ c >>> 8;
        return ~c;
    }
}
