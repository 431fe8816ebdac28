package exception_type;

class Reader {
    static int port(String text) {
        // repair missing-branch: if (text == null || text.isEmpty()) return 80;
        if (text == null) return 80;
        return Integer.parseInt(text);
    }

    static String url(String host, String port) {
        return host + ":" + port(port);
    }
}
