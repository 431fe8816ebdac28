package versions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class VersionsTest {
    private final Repository repository = new Repository();

    private static String numbers(int from, int to) {
        List<String> lines = new ArrayList<>();
        for (int i = from; i <= to; i++)
            lines.add("line " + i);
        return String.join("\n", lines);
    }

    @Test
    public void differences() {
        List<String> a = List.of("a", "b", "c", "d");
        assertEquals("@@ -1,4 +1,4 @@\n a\n-b\n c\n+x\n d\n", Patch.text(a, List.of("a", "c", "x", "d")));
        assertEquals("", Patch.text(a, a));
        assertEquals(List.of("a", "c", "x", "d"), Patch.apply(a, Patch.parse(
                Patch.text(a, List.of("a", "c", "x", "d")))));
    }

    @Test
    public void merges() {
        List<String> base = List.of("1", "2", "3", "4", "5");
        assertEquals(List.of("0", "1", "2", "3", "4", "five"),
                Merge.of(base, List.of("0", "1", "2", "3", "4", "5"), List.of("1", "2", "3", "4", "five")).result());
        assertEquals(1, Merge.of(base, List.of("1", "2", "a", "4", "5"), List.of("1", "2", "b", "4", "5")).conflicts());
    }

    @Test
    public void branches() {
        repository.write("a.txt", "one\ntwo\nthree");
        repository.commit("Ann", "first");
        repository.branch("side");
        repository.write("a.txt", "one\ntwo\nthree\nfour");
        repository.commit("Ann", "four");
        repository.checkout("side");
        repository.write("a.txt", "zero\none\ntwo\nthree");
        repository.commit("Bob", "zero");
        repository.checkout("main");
        assertEquals(List.of(), repository.merge("side"));
        assertEquals("zero\none\ntwo\nthree\nfour", repository.read("a.txt"));
        List<String> authors = new ArrayList<>();
        for (Commit c : History.blame(repository.head(), "a.txt"))
            authors.add(c.author());
        assertEquals(List.of("Bob", "Ann", "Ann", "Ann", "Ann"), authors);
    }

    @Test
    public void names() {
        repository.write("a.txt", "x");
        Commit first = repository.commit("Ann", "first");
        repository.tag("v1");
        repository.write("a.txt", "y");
        repository.commit("Ann", "second");
        assertEquals(first, repository.find("HEAD~1"));
        assertEquals(first, repository.find("v1"));
        assertEquals(first, repository.find(first.name().substring(0, 6)));
        assertThrows(IllegalArgumentException.class, () -> repository.find("HEAD~2"));
        assertEquals("--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-x\n+y\n", repository.diff("v1", "HEAD"));
    }

    @Test
    public void bisects() {
        List<Commit> commits = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            repository.write("n.txt", numbers(0, i));
            commits.add(repository.commit("Ann", "number " + i));
        }
        Bisect bisect = new Bisect(commits.get(0), commits.get(19));
        assertEquals("number 7", bisect.find(c -> c.tree().get("n.txt").contains("line 7")).message());
        assertEquals(true, bisect.asked() <= 5);
        Ignore ignore = new Ignore("*.class\nbuild/\n!Keep.class");
        assertEquals(true, ignore.ignores("a/B.class") && ignore.ignores("build/x") && !ignore.ignores("Keep.class"));
    }

    @Test
    public void picks() {
        String off = "{\n  debug = off\n}\n";
        String on = "{\n  debug = on\n}\n";
        repository.write("a.conf", numbers(1, 9) + "\n" + off + off + off + off + off + numbers(10, 19));
        repository.commit("Ann", "first");
        repository.branch("side");
        repository.checkout("side");
        repository.write("a.conf",
                "line 0\nline 0.5\n" + numbers(1, 9) + "\n" + off + off + on + off + off + numbers(10, 19));
        Commit picked = repository.commit("Bob", "debug");
        repository.checkout("main");
        repository.pick(picked.name(), "Ann");
        assertEquals(String.join("\n", picked.tree().get("a.conf")), repository.read("a.conf"));
    }
}
