package ledger;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Before;
import org.junit.Test;

public class LedgerTest {
    private Books books;
    private final Rates rates = new Rates();

    @Before
    public void open() {
        books = Journal.read("account 1000 ASSET EUR Cash\naccount 1100 ASSET JPY Cash in Tokyo\n"
                + "account 1200 ASSET KWD Cash in Kuwait\naccount 2000 LIABILITY EUR Loan\n"
                + "account 3000 EQUITY EUR Capital\naccount 3100 EQUITY JPY Capital in yen\n"
                + "account 3200 EQUITY KWD Capital in dinars\naccount 4000 EXPENSE EUR Rent\n"
                + "account 5000 INCOME EUR Sales\n"
                + "2024-01-01 begin\n  1000 10000.00 EUR\n  3000 -10000.00 EUR\n"
                + "2024-01-31 rent\n  4000 500.00 EUR\n  1000 -500.00 EUR\n"
                + "2024-02-10 sale\n  1000 1,250.50 EUR\n  5000 -1250.50 EUR\n");
    }

    private static Money money(String text) {
        return Money.parse(text);
    }

    @Test
    public void amounts() {
        assertEquals("-0.05 EUR", money("-0.05 EUR").toString());
        assertEquals("1.234 KWD", money("1.234 KWD").toString());
        assertEquals("[3.34 EUR, 3.33 EUR, 3.33 EUR]", money("10 EUR").split(1, 1, 1).toString());
        assertEquals("-0.13 EUR", money("-0.25 EUR").part(1, 2).toString());
        assertThrows(LedgerException.class, () -> money("1 EUR").plus(money("1 USD")));
        assertThrows(LedgerException.class, () -> money("0.5 JPY"));
    }

    @Test
    public void days() {
        assertEquals("2024-02-29", Day.parse("2024-01-31").plusMonths(1).toString());
        assertEquals("2023-12-31", Day.parse("2024-01-31").plusMonths(-1).toString());
        assertEquals(29, Day.days360(Day.parse("2024-01-31"), Day.parse("2024-02-29")));
    }

    @Test
    public void balances() {
        assertEquals("10750.50 EUR", books.account("1000").balance(null).toString());
        assertEquals("9500.00 EUR", books.account("1000").balance(Day.parse("2024-02-01")).toString());
        assertEquals(Journal.write(books), Journal.write(Journal.read(Journal.write(books))));
        assertThrows(LedgerException.class, () -> books.post(books.begin("2024-03-01", "x")
                .add(books.account("1000"), money("1 EUR")).add(books.account("3000"), money("-2 EUR"))));
    }

    @Test
    public void closes() {
        books.close(Day.parse("2024-02-29"), "3000");
        assertEquals("0.00 EUR", books.account("5000").balance(null).toString());
        assertEquals("10750.50 EUR", books.account("3000").balance(null).toString());
        assertThrows(LedgerException.class, () -> books.transfer("2024-02-01", "late", "1000", "4000", money("1 EUR")));
    }

    @Test
    public void orders() {
        books.account("1000").floor(money("10000 EUR"));
        Standing standing = new Standing(books);
        standing.add("rent", "1000", "4000", money("500 EUR"), Day.parse("2024-02-29"));
        standing.runUntil(Day.parse("2024-05-31"));
        assertEquals(3, standing.refused().size());
        Budget budget = new Budget(books);
        budget.limit("4000", money("400 EUR"));
        assertEquals(List.of("Rent by 100.00 EUR"), budget.exceeded(2024, 2));
    }

    @Test
    public void loans() {
        Loan loan = new Loan(money("1200 EUR"), 600, 12, Day.parse("2024-01-31"));
        assertEquals("103.28 EUR", loan.payment().toString());
        List<Loan.Payment> plan = loan.plan();
        assertTrue(plan.get(11).left().isZero());
        Loan.post(books, plan.get(0), "1000", "2000", "4000");
        assertEquals("-97.28 EUR", books.account("2000").balance(null).toString());
        assertEquals("26.54 EUR", new Interest(300, 900).of(books.account("1000"), Day.parse("2024-01-01"),
                Day.parse("2024-02-03")).toString());
    }

    @Test
    public void currencies() {
        Day day = Day.parse("2024-03-01");
        books.transfer("2024-03-01", "yen", "3100", "1100", money("1250 JPY"));
        books.transfer("2024-03-01", "dinars", "3200", "1200", money("1.005 KWD"));
        rates.put(Currency.EUR, Currency.JPY, Day.parse("2024-01-01"), 160_000_000);
        rates.put(Currency.KWD, Currency.EUR, Day.parse("2024-01-01"), 3_000_000);
        // 1250 yen are 7.81 euros, 1.005 dinars 3.02
        assertEquals("10761.33 EUR", new Report(books, rates, Currency.EUR).total(Account.Kind.ASSET, day).toString());
    }
}
