package versions;

import java.util.ArrayList;
import java.util.List;

/** Which paths are not of interest: *.class, build/, !keep.class; the last rule that fits holds. */
final class Ignore {
    private final List<String> rules = new ArrayList<>();

    Ignore(String text) {
        for (String line : text.split("\n"))
            if (!line.isBlank() && !line.startsWith("#"))
                rules.add(line.trim());
    }

    boolean ignores(String path) {
        boolean ignored = false;
        for (String rule : rules) {
            boolean not = rule.startsWith("!");
            if (fits(not ? rule.substring(1) : rule, path))
                ignored = !not;
        }
        return ignored;
    }

    private static boolean fits(String rule, String path) {
        if (rule.endsWith("/"))
            return path.startsWith(rule) || path.contains("/" + rule);
        String name = rule.contains("/") ? path : path.substring(path.lastIndexOf('/') + 1);
        return matches(rule, 0, name, 0);
    }

    private static boolean matches(String rule, int r, String name, int n) {
        if (r == rule.length())
            return n == name.length();
        if (rule.charAt(r) != '*')
            return n < name.length() && rule.charAt(r) == name.charAt(n) && matches(rule, r + 1, name, n + 1);
        for (int end = n; end <= name.length(); end++) {
            if (matches(rule, r + 1, name, end))
                return true;
            if (end < name.length() && name.charAt(end) == '/')
                return false;
        }
        return false;
    }
}
