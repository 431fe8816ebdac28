package interpreter;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.List;
import org.junit.Test;

public class InterpreterTest {
    private final Machine machine = new Machine();

    private String show(String script) {
        return Values.show(machine.run(script));
    }

    @Test
    public void expressions() {
        assertEquals("14", show("2 + 3 * 4"));
        assertEquals("2.5", show("(2 + 3) / 2"));
        assertEquals("true", show("not (1 > 2) and \"a\" < \"b\""));
        assertEquals("[1, 2, 3, 9]", show("1..3 + 0; [1, 2, 3] + [9]"));
        assertEquals("b", show("\"abc\"[-2]"));
    }

    @Test
    public void functions() {
        assertEquals("120", show("fun f(n) { if n < 2 { return 1 } return n * f(n - 1) } f(5)"));
        assertEquals("[4, 16]", show("map(filter(1..5, fun (x) => x % 2 == 0), fun (x) => x * x)"));
        assertEquals("3", show("let n = 0; fun next() { n += 1; return n } next(); next(); next()"));
    }

    @Test
    public void loops() {
        machine.run("for x in 1..9 { if x == 3 { continue } if x > 5 { break } print(x) }"
                + "let i = 0; while i < 2 { i += 1; print(\"round\", i) }");
        assertEquals(List.of("1", "2", "4", "5", "round 1", "round 2"), machine.printed());
    }

    @Test
    public void collections() {
        assertEquals("{tea: 2, cup: 1}",
                show("let n = {}; for w in [\"tea\", \"cup\", \"tea\"] { n[w] = (n[w] or 0) + 1 } n"));
        assertEquals("c-b-a", show("join(sort(split(\"b,a,c\", \",\"), fun (x, y) => x > y), \"-\")"));
    }

    @Test
    public void errors() {
        assertEquals("caught 7", show("let r = nil; try { throw 7 } catch e { r = \"caught \" + e } r"));
        assertEquals("line 2: x is not defined",
                assertThrows(ScriptError.class, () -> machine.run("let a = 1\nx")).getMessage());
        assertThrows(ScriptError.class, () -> machine.run("while true { }"));
    }

    @Test
    public void handlers() {
        machine.run("let handlers = {}\n"
                + "for name in [\"open\", \"save\", \"quit\"] {\n"
                + "    let shown = \"menu: \" + name\n"
                + "    handlers[name] = fun (times) => shown + \" x\" + times\n"
                + "}\n");
        assertEquals("menu: quit x1", show("handlers.quit(1)"));
        assertEquals("menu: open x2", show("handlers.open(2)"));
    }
}
