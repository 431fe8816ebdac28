package shop;

import static org.junit.Assert.assertEquals;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.junit.Before;
import org.junit.Test;

public class MockedTest {
    private final Tax tax = mock(Tax.class);
    private final Shop shop = new Shop(tax);

    @Before
    public void price() {
        shop.price("tea", 100);
        when(tax.on(anyInt())).thenReturn(7); // mocked
    }

    @Test
    public void one() {
        shop.order("tea", 1);
        assertEquals(107, shop.total());
        verify(tax).on(100);
    }

    @Test
    public void two() {
        shop.order("tea", 2);
        assertEquals(208, shop.total());
    }
}
