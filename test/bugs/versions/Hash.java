package versions;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Names of contents: FNV-1a of 64 bits. */
final class Hash {
    private static final long BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;
    private long value = BASIS;

    Hash add(String text) {
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            value ^= b & 0xff;
            value *= PRIME;
        }
        value ^= 0xff; // an end, so that "ab", "c" is not "a", "bc"
        value *= PRIME;
        return this;
    }

    Hash add(List<String> lines) {
        for (String line : lines)
            add(line);
        return this;
    }

    String name() {
        return String.format("%016x", value);
    }
}
