package archive;

import java.util.HashMap;
import java.util.Map;

/** New data as copies of old data and what is new in it. */
final class Delta {
    private static final int BLOCK = 16;
    private static final int COPY = 1;
    private static final int INSERT = 0;

    private Delta() {}

    private static int hash(byte[] data, int at) {
        int h = 0;
        for (int i = 0; i < BLOCK; i++)
            h = h * 31 + data[at + i];
        return h;
    }

    static byte[] make(byte[] old, byte[] now) {
        Map<Integer, Integer> blocks = new HashMap<>();
        for (int at = 0; at + BLOCK <= old.length; at += BLOCK)
            blocks.putIfAbsent(hash(old, at), at);
        Bytes.Writer out = new Bytes.Writer().number(now.length);
        int begin = 0; // of what is new
        int at = 0;
        while (at + BLOCK <= now.length) {
            Integer found = blocks.get(hash(now, at));
            int length = found == null ? 0 : common(old, found, now, at);
            if (length < BLOCK) {
                at++;
                continue;
            }
            insert(out, now, begin, at);
            out.number(COPY).number(found).number(length);
            at += length;
            begin = at;
        }
        insert(out, now, begin, now.length);
        return out.bytes();
    }

    private static int common(byte[] a, int i, byte[] b, int k) {
        int n = 0;
        while (i + n < a.length && k + n < b.length && a[i + n] == b[k + n])
            n++;
        return n;
    }

    private static void insert(Bytes.Writer out, byte[] data, int from, int to) {
        if (from < to)
            out.number(INSERT).block(java.util.Arrays.copyOfRange(data, from, to));
    }

    static byte[] apply(byte[] old, byte[] delta) {
        Bytes.Reader in = new Bytes.Reader(delta);
        byte[] now = new byte[Math.toIntExact(in.number())];
        int at = 0;
        while (!in.atEnd()) {
            byte[] from = old;
            int begin = 0;
            int length;
            if (in.number() == COPY) {
                begin = Math.toIntExact(in.number());
                length = Math.toIntExact(in.number());
            } else {
                from = in.block();
                length = from.length;
            }
            if (begin + length > from.length || at + length > now.length)
                throw new ArchiveException("a delta of something else");
            System.arraycopy(from, begin, now, at, length);
            at += length;
        }
        if (at != now.length)
            throw new ArchiveException("a delta that is not complete");
        return now;
    }
}
