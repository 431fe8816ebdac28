package spreadsheet;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class SpreadsheetTest {
    private final Sheet sheet = new Sheet();

    private String shown(String formula) {
        sheet.set("Z99", formula);
        return sheet.shown("Z99");
    }

    @Test
    public void arithmetic() {
        assertEquals("14", shown("=2+3*4"));
        assertEquals("0.5", shown("=(1+2)/6"));
        assertEquals("-8", shown("=-2^3"));
        assertEquals("#DIV/0!", shown("=1/(2-2)"));
        assertEquals("#SYNTAX!", shown("=1+"));
        assertEquals("tea for 2", shown("=\"tea for \"&2"));
    }

    @Test
    public void functions() {
        sheet.set("A1", "3");
        sheet.set("A2", "x");
        sheet.set("A3", "5");
        assertEquals("8", shown("=SUM(A1:A3)"));
        assertEquals("4", shown("=AVERAGE(A1:A3)"));
        assertEquals("5", shown("=MAX(A1:A3)"));
        assertEquals("2.35", shown("=ROUND(2.345; 2)"));
        assertEquals("big", shown("=IF(A3>4; \"big\"; \"small\")"));
        assertEquals("#NAME?", shown("=NOTHING(1)"));
    }

    @Test
    public void lookUp() {
        Sheet prices = Csv.read("tea,300\ncup,500\n\"pot, big\",900\n,\"=VLOOKUP(\"\"cup\"\";A1:B3;2)\"\n");
        assertEquals("500", prices.shown("B4"));
        prices.set("C1", "=SUMIF(A1:A3;\"<>tea\";B1:B3)");
        assertEquals("1400", prices.shown("C1"));
    }

    @Test
    public void copied() {
        sheet.set("A1", "1");
        sheet.set("A2", "=A1*2+$A$1");
        sheet.copy("A2", "A3:A4");
        assertEquals("15", sheet.shown("A4"));
        assertTrue(sheet.undo());
        assertEquals("", sheet.shown("A4"));
    }

    @Test
    public void cycle() {
        sheet.set("A1", "=A2");
        sheet.set("A2", "=A1");
        assertEquals("#CYCLE!", sheet.shown("A2"));
    }

    @Test
    public void changed() {
        Sheet order = Csv.read("price,count,sum\n300,2,=A2*B2\n500,1,=A3*B3\ntotal,,=SUM(C2:C3)\ntax,,=C4*20%\n");
        assertEquals("220", order.shown("C5"));
        order.set("B3", "2");
        assertEquals("1600", order.shown("C4"));
        assertEquals("320", order.shown("C5"));
    }
}
