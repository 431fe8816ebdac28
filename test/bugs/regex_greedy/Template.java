package regex_greedy;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

class Template {
    // repair regex: private static final Pattern NAME = Pattern.compile("<(.+?)>");
    private static final Pattern NAME = Pattern.compile("<(.+)>");

    static String fill(String text, Map<String, String> values) {
        Matcher m = NAME.matcher(text);
        StringBuffer out = new StringBuffer();
        while (m.find()) m.appendReplacement(out, values.getOrDefault(m.group(1), "?"));
        return m.appendTail(out).toString();
    }
}
