package regex;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.Test;

public class RegexTest {
    private static String first(String pattern, String text) {
        return String.valueOf(Pattern.of(pattern).find(text));
    }

    @Test
    public void plain() {
        assertEquals("tea", first("t.a", "a cup of tea"));
        assertEquals("null", first("coffee", "a cup of tea"));
        assertEquals("cup", first("cat|cup|can", "a cup of tea"));
        assertTrue(Pattern.of("[a-c]x[^0-9]").matches("bxz"));
        assertFalse(Pattern.of("[a-c]x[^0-9]").matches("bx7"));
    }

    @Test
    public void repeats() {
        assertEquals("aaa", first("a+", "baaac"));
        assertEquals("<b>", first("<.+?>", "<b>bold</b>"));
        assertEquals("", first("x*", "abc"));
        assertEquals("abab", first("(?:ab?)*", "abab"));
        assertEquals("colour", first("colou?r", "a colour"));
    }

    @Test
    public void groups() {
        Match match = Pattern.of("(?<key>\\w+)=(\\d+)?").find("a: size=12");
        assertEquals("size", match.group("key"));
        assertEquals("12", match.group(2));
        assertNull(Pattern.of("(a)|b").find("b").group(1));
        assertEquals("abab", first("(ab)\\1", "xabab"));
        assertEquals("2/1", Pattern.of("(\\d)-(\\d)").replace("1-2", "$2/$1"));
    }

    @Test
    public void errors() {
        assertThrows(PatternError.class, () -> Pattern.of("(a"));
        assertThrows(PatternError.class, () -> Pattern.of("*a"));
        assertThrows(PatternError.class, () -> Pattern.of("a{3,2}"));
        assertEquals(2, assertThrows(PatternError.class, () -> Pattern.of("ab)")).at());
    }

    @Test
    public void scans() {
        Scanner scanner = new Scanner().skip("space", "\\s+").rule("word", "[a-z]+").rule("if", "if")
                .rule("number", "\\d+");
        assertEquals("[word(if), word(iffy), number(12)]", scanner.scan("if iffy 12").toString());
        assertEquals(List.of("a", "b", "c"), Pattern.of(", *").split("a, b,c"));
    }

    @Test
    public void log() {
        LogReader log = new LogReader().read("10.0.0.1 [Mon] \"GET /item/7 HTTP/1.1\" 200 512\n"
                + "10.0.0.2 [Mon] \"GET /item/9 HTTP/1.1\" 404 -\nnothing of a log\n"
                + "10.0.0.1234 [Mon] \"GET / HTTP/1.1\" 200 100\n");
        assertEquals(Map.of("/item/N", 2), log.paths());
        assertEquals(512, log.bytes(200));
        assertEquals(2, log.rejected().size());
    }
}
