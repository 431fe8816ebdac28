package query;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import org.junit.Test;

public class QueryTest {
    private final Database shop =
            new Database()
                    .add(new Table("item", "id", "name", "price")
                            .add(1, "tea", 300)
                            .add(2, "cup", 500)
                            .add(3, "pot", 900)
                            .add(4, "tray", null))
                    .add(new Table("sale", "item", "count", "day").add(1, 2, "mo").add(1, 3, "tu").add(2, 1, "tu"))
                    .add(new Table("grade", "pupil", "points")
                            .add("Ann", 8)
                            .add("Ann", null)
                            .add("Ann", 4)
                            .add("Bob", 5)
                            .add("Bob", 7));

    private String row(String query, int number) {
        return Arrays.toString(shop.ask(query).rows().get(number));
    }

    @Test
    public void selects() {
        assertEquals("[cup, 1000]", row("SELECT name, price * 2 FROM item WHERE price > 300 AND name LIKE 'c%'", 0));
        assertEquals(2, shop.ask("SELECT * FROM item WHERE id IN (1, 3)").rows().size());
        assertEquals("[4, tray, null]", row("SELECT * FROM item WHERE price IS NULL", 0));
        assertThrows(QueryException.class, () -> shop.ask("SELECT nothing FROM item"));
    }

    @Test
    public void joins() {
        assertEquals("[tea, 900]",
                row("SELECT i.name, i.price * s.count AS total FROM sale s JOIN item i ON i.id = s.item"
                        + " ORDER BY total DESC", 0));
        assertEquals(5, shop.ask("SELECT name FROM item LEFT JOIN sale ON sale.item = item.id").rows().size());
    }

    @Test
    public void groups() {
        assertEquals("[tu, 4]", row("SELECT day, SUM(count) FROM sale GROUP BY day HAVING COUNT(*) > 1", 0));
        assertEquals("[3, 500, mo]", row("SELECT COUNT(*), MAX(i.price), MIN(s.day) FROM sale s"
                + " JOIN item i ON i.id = s.item", 0));
    }

    @Test
    public void sorts() {
        assertEquals("[pot]", row("SELECT name FROM item ORDER BY price DESC LIMIT 1", 0));
        assertEquals("[cup]", row("SELECT name FROM item ORDER BY 1 LIMIT 2 OFFSET 0", 0));
        assertEquals("[dear]",
                row("SELECT DISTINCT CASE WHEN price > 400 THEN 'dear' ELSE 'cheap' END AS c FROM item ORDER BY c DESC",
                        0));
    }

    @Test
    public void averages() {
        assertEquals("[Bob, 6.0]", row("SELECT pupil, AVG(points) FROM grade WHERE pupil = 'Bob' GROUP BY pupil", 0));
        assertEquals("[Ann, 6.0]", row("SELECT pupil, AVG(points) FROM grade WHERE pupil = 'Ann' GROUP BY pupil", 0));
    }
}
