package missing_branch;

class Roman {
    private static final String SIGNS = "IVXLCDM";
    private static final int[] VALUES = {1, 5, 10, 50, 100, 500, 1000};

    static int value(char sign) {
        return VALUES[SIGNS.indexOf(sign)];
    }

    private static int next(String text, int i) {
        return i + 1 < text.length() ? value(text.charAt(i + 1)) : 0;
    }

    static int parse(String text) {
        int sum = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = value(text.charAt(i));
            // repair missing-branch: sum += next(text, i) > value ? -value : value;
            sum += value;
        }
        return sum;
    }
}
