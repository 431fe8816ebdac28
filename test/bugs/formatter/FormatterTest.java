package formatter;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class FormatterTest {
    private static String html(String text) {
        return Html.of(Document.parse(text));
    }

    private static String plain(String text, int width) {
        return Plain.of(Document.parse(text), new Wrapper(width, false, null));
    }

    @Test
    public void inline() {
        assertEquals("<p>a <strong>very <em>good</em> tea</strong> &amp; <code>x&lt;y</code></p>\n",
                html("a **very *good* tea** & `x<y`"));
        assertEquals("<p>see <a href=\"t.html\">tea</a> 2*3</p>\n", html("see [tea](t.html) 2\\*3"));
    }

    @Test
    public void blocks() {
        assertEquals("<h2>Tea</h2>\n<p>hot and strong</p>\n<hr>\n<pre>x = 1\n</pre>\n",
                html("## Tea ##\nhot\nand strong\n\n---\n```\nx = 1\n```\n"));
        assertEquals("<ol>\n  <li>one</li>\n  <li>\n    <p>two</p>\n    <ul>\n      <li>three</li>\n    </ul>\n"
                + "  </li>\n</ol>\n", html("1. one\n2. two\n   - three\n"));
    }

    @Test
    public void tables() {
        assertEquals("item | cents\n-----+------\ntea  |   300\na|b  |     5\n",
                plain("| item | cents |\n|---|---:|\n| tea | 300 |\n| a\\|b | 5 |\n", 40));
    }

    @Test
    public void lists() {
        assertEquals(" 9. boil the\n    water\n10. wait\n    - long\n\n> so be it\n",
                plain("9. boil the water\n10. wait\n    - long\n\n> so be it\n", 13));
    }

    @Test
    public void outline() {
        List<Block> document = Document.parse("# Tea\n## Hot\n## Iced\n# Cups\n## Hot\n");
        assertEquals("1 Tea\n  1.1 Hot\n  1.2 Iced\n2 Cups\n  2.1 Hot\n", new Outline(document).text());
        assertEquals("hot-1", new Outline(document).entries().get(4).anchor());
        assertEquals(5, Statistics.of(document).words());
    }

    @Test
    public void justified() {
        Wrapper wrapper = new Wrapper(27, true, new Hyphenator());
        List<String> lines = wrapper.wrap("The kettle is on the table near the window of the old kitchen.");
        for (String line : lines.subList(0, lines.size() - 1))
            assertEquals(line, 27, line.length());
    }
}
