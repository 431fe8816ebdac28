package archive;

import java.util.ArrayList;
import java.util.List;

/** Data as bytes and copies of what stood before. */
final class Tokens {
    /** A copy; a single byte has distance 0, and the byte as its length. */
    record Token(int length, int distance) {
        boolean isByte() {
            return distance == 0;
        }
    }

    private final List<Token> tokens = new ArrayList<>();

    List<Token> all() {
        return tokens;
    }

    void add(byte b) {
        tokens.add(new Token(b & 0xff, 0));
    }

    void add(int length, int distance) {
        tokens.add(new Token(length, distance));
    }

    /** A match waits for the next place: if there is a longer one, its first byte stands alone. */
    static Tokens of(byte[] data) {
        Tokens tokens = new Tokens();
        Matches matches = new Matches(data);
        int waitingLength = 0;
        int waitingDistance = 0;
        int at = 0;
        while (at < data.length) {
            boolean found = matches.find(at);
            matches.add(at);
            if (waitingLength > 0 && (!found || matches.length() <= waitingLength)) {
                tokens.add(waitingLength, waitingDistance);
                int end = at - 1 + waitingLength;
                while (++at < end)
                    matches.add(at);
                waitingLength = 0;
                continue;
            }
            if (waitingLength > 0)
                tokens.add(data[at - 1]);
            waitingLength = 0;
            if (found) {
                waitingLength = matches.length();
                waitingDistance = matches.distance();
            } else {
                tokens.add(data[at]);
            }
            at++;
        }
        if (waitingLength > 0)
            tokens.add(waitingLength, waitingDistance);
        return tokens;
    }

    byte[] expand(int size) {
        byte[] out = new byte[size];
        int at = 0;
        for (Token t : tokens) {
            if (at + (t.isByte() ? 1 : t.length()) > size)
                throw new ArchiveException("more data than " + size + " bytes");
            if (t.isByte()) {
                out[at++] = (byte) t.length();
                continue;
            }
            if (t.distance() > at)
                throw new ArchiveException("a copy from before the begin");
            for (int i = 0; i < t.length(); i++, at++)
                out[at] = out[at - t.distance()];
        }
        if (at != size)
            throw new ArchiveException(at + " bytes instead of " + size);
        return out;
    }
}
