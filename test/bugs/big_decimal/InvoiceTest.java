package big_decimal;

import static org.junit.Assert.*;

import org.junit.Test;

public class InvoiceTest {
    @Test
    public void notPaid() {
        assertFalse(new Invoice("10.00").isPaid());
    }

    @Test
    public void paid() {
        Invoice invoice = new Invoice("10.00");
        invoice.pay("10.00");
        assertTrue(invoice.isPaid());
    }
}
