import java.util.*;

public class Prices {
    static class Money {
        final long cents;
        final String currency;
        Money(long cents, String currency) { this.cents = cents; this.currency = currency; }
        Money plus(Money other) { return new Money(cents + other.cents, currency); }
    }
    static class Note {
        final String text;
        final Money of;
        Note(String text, Money of) { this.text = text; this.of = of; }
    }

    static Money total(long[] prices) {
        Money sum = new Money(0, "EUR");
        for (long price : prices) {
            Note note = new Note("added", sum);
            sum = sum.plus(new Money(price, "EUR"));
        }
        return sum;
    }

    public static void main(String[] args) {
        for (int basket = 1; basket <= 20; basket++)
            total(new long[] { 250, 99, 100 * basket });
        System.out.println("done");
    }
}
