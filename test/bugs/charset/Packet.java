package charset;

import java.nio.charset.StandardCharsets;

class Packet {
    private final byte[] bytes;

    Packet(String text) {
        bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    String text() {
        // repair charset: return new String(bytes, StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
