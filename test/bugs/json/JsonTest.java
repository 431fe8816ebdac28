package json;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

public class JsonTest {
    private static final Json SHOP = Json.parse("{\"items\":[{\"name\":\"tea\",\"price\":300},"
            + "{\"name\":\"cup\",\"price\":500}],\"open\":true}");

    @Test
    public void text() {
        String text = "{\"a\":[1,-2.50,1E+3,\"x\\n\\u0041\\\"\"],\"b\":{},\"c\":null}";
        assertEquals("{\"a\":[1,-2.50,1E+3,\"x\\nA\\\"\"],\"b\":{},\"c\":null}", Json.parse(text).toString());
        assertEquals("{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}", Json.parse("{\"a\":[1],\"b\":[]}").pretty());
        assertEquals(Json.parse("[1.0]"), Json.parse("[1]"));
    }

    @Test
    public void errors() {
        for (String bad : List.of("", "[1,]", "01", "\"a", "{\"a\":1,\"a\":2}", "[1] 2", "tru", "1."))
            assertThrows(bad, JsonException.class, () -> Json.parse(bad));
        assertEquals("line 2, column 2: a value is expected",
                assertThrows(JsonException.class, () -> Json.parse("[\n }")).getMessage());
    }

    @Test
    public void pointers() {
        assertEquals("500", Pointer.parse("/items/1/price").get(SHOP).toString());
        assertEquals("1", Pointer.parse("/a~1b").get(Json.parse("{\"a/b\":1}")).toString());
        assertThrows(JsonException.class, () -> Pointer.parse("/items/2").get(SHOP));
        assertThrows(JsonException.class, () -> Pointer.parse("/items/01").get(SHOP));
    }

    @Test
    public void patches() {
        Json changed = Patch.of(Json.parse("[{\"op\":\"add\",\"path\":\"/items/0\",\"value\":{\"name\":\"pot\"}},"
                + "{\"op\":\"move\",\"from\":\"/items/1\",\"path\":\"/items/-\"},"
                + "{\"op\":\"remove\",\"path\":\"/open\"}]")).apply(SHOP);
        assertEquals("{\"items\":[{\"name\":\"pot\"},"
                + "{\"name\":\"cup\",\"price\":500},{\"name\":\"tea\",\"price\":300}]}",
                changed.toString());
        assertEquals(changed, Diff.of(SHOP, changed).apply(SHOP));
        assertEquals(SHOP, Diff.of(changed, SHOP).apply(changed));
    }

    @Test
    public void paths() {
        assertEquals("[Found[at=/items/1/name, value=\"cup\"]]",
                Path.parse("items[price>300].name").find(SHOP).toString());
        assertEquals(2, Path.parse("**.name").find(SHOP).size());
        assertEquals("300", Path.parse("items[0].price").find(SHOP).get(0).value().toString());
    }

    @Test
    public void schemas() {
        Json schema = Json.parse("{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":"
                + "\"string\",\"minLength\":2},\"price\":{\"type\":\"integer\",\"minimum\":0}},"
                + "\"additionalProperties\":false}");
        assertEquals(List.of(), Schema.check(schema, Json.parse("{\"name\":\"tea\",\"price\":3}")));
        assertEquals(List.of("/: name is missing", "/price: is number, not \"integer\"", "/x: is not allowed"),
                Schema.check(schema, Json.parse("{\"price\":1.5,\"x\":0}")));
    }

    @Test
    public void stores() {
        Json first = Json.parse("{\"rates\":{\"~1 day\":5,\"/ day\":7}}");
        Store store = new Store(first, null);
        store.merge("{\"rates\":{\"~1 day\":6}}");
        store.apply("[{\"op\":\"replace\",\"path\":\"/rates/~1 day\",\"value\":8}]");
        assertEquals("{\"rates\":{\"~1 day\":6,\"/ day\":8}}", store.document().toString());
        Store again = Store.replay(first, null, Json.parse(store.log().toString()));
        assertEquals(store.document(), again.document());
        assertTrue(store.undo());
        assertEquals("7", store.get("/rates/~1 day").toString());
    }
}
