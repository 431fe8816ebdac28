/** A swallowed exception: the port of the configuration is not used, and nobody says why. */
public class Swallowed {
    static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 80;
        }
    }

    static int checked(String text) {
        if (text.isBlank())
            throw new IllegalArgumentException("no port");
        return port(text);
    }

    public static void main(String[] args) {
        System.out.println("port " + checked("8o80"));
    }
}
