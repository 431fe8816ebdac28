package library_split;

import java.util.ArrayList;
import java.util.List;

/** A library. */
final class Strings {
    private Strings() {}

    static List<String> split(String text, char at) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++)
            if (text.charAt(i) == at) {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        // repair library: parts.add(text.substring(from));
        if (from < text.length()) parts.add(text.substring(from));
        return parts;
    }
}
