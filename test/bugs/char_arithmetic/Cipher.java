package char_arithmetic;

class Cipher {
    private final int key;

    Cipher(int key) {
        this.key = key;
    }

    String encode(String text) {
        StringBuilder out = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c < 'a' || c > 'z') {
                out.append(c);
                continue;
            }
            // repair missing-modulo: out.append((char) ('a' + (c - 'a' + key) % 26));
            out.append((char) (c + key));
        }
        return out.toString();
    }
}
